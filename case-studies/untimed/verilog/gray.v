// A binary counter of four bits, shown in Gray code.
module top(input clk, input go, input clear, output [3:0] code);
  reg [3:0] count = 0;
  assign code = count ^ (count >> 1);
  always @(posedge clk)
    if (clear) count <= 0;
    else if (go) count <= count + 1;
endmodule
