// A counter that counts up or down, is loaded, and says when it is at either end.
module top(input clk, input [1:0] command, input [2:0] value, output [2:0] count, output at_end);
  reg [2:0] state = 0;
  assign count = state;
  assign at_end = state == 7 || state == 0;
  always @(posedge clk)
    case (command)
      1: state <= state + 1;
      2: state <= state - 1;
      3: state <= value;
      default: state <= state;
    endcase
endmodule
