// An arbiter of four requests: the lowest number wins, and keeps the grant while it asks.
module top(input clk, input [3:0] ask, output [3:0] grant);
  reg [3:0] held = 0;
  assign grant = held;
  always @(posedge clk)
    if (held & ask) held <= held;
    else held <= ask & (~ask + 1);
endmodule
