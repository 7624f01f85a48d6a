// A multiplier of two words of two bits by shifting and adding, one bit per step.
module top(input clk, input start, input [1:0] x, input [1:0] y, output [3:0] product, output done);
  reg [3:0] sum = 0, shifted = 0;
  reg [1:0] left = 0;
  reg [1:0] steps = 0;
  assign done = steps == 0;
  assign product = done ? sum : 0;
  always @(posedge clk)
    if (done && start) begin
      sum <= 0;
      shifted <= {2'b0, x};
      left <= y;
      steps <= 2;
    end else if (!done) begin
      if (left[0]) sum <= sum + shifted;
      shifted <= shifted << 1;
      left <= left >> 1;
      steps <= steps - 1;
    end
endmodule
