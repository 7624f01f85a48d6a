// An accumulator of three bits with eight operations.
module top(input clk, input [2:0] op, input [2:0] x, output [2:0] acc, output zero);
  reg [2:0] a = 0;
  assign acc = a;
  assign zero = a == 0;
  always @(posedge clk)
    case (op)
      0: a <= a + x;
      1: a <= a - x;
      2: a <= a & x;
      3: a <= a | x;
      4: a <= a ^ x;
      5: a <= a << x[0];
      6: a <= a * x;
      default: a <= x;
    endcase
endmodule
