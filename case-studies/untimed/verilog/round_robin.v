// An arbiter of three requests that begins behind the one that was served last.
module top(input clk, input [2:0] ask, output [2:0] grant);
  reg [1:0] last = 2;
  reg [2:0] g = 0;
  assign grant = g;
  wire [5:0] twice = {ask, ask};
  wire [2:0] turned = last == 0 ? twice[3:1] : last == 1 ? twice[4:2] : ask;
  wire [1:0] first = turned[0] ? 0 : turned[1] ? 1 : 2;
  wire [2:0] sum = {1'b0, last} + {1'b0, first} + 1;
  wire [1:0] winner = sum >= 3 ? sum - 3 : sum;
  always @(posedge clk)
    if (ask == 0) g <= 0;
    else begin
      g <= 3'd1 << winner;
      last <= winner;
    end
endmodule
