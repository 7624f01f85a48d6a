// The sending half of a UART: a start bit, four bits, a parity bit, a stop bit.
module top(input clk, input start, input [3:0] data, output line, output busy);
  reg [6:0] frame = 7'h7f;
  reg [2:0] left = 0;
  assign line = frame[0];
  assign busy = left != 0;
  always @(posedge clk)
    if (!busy && start) begin
      frame <= {1'b1, ^data, data, 1'b0};
      left <= 7;
    end else if (busy) begin
      frame <= {1'b1, frame[6:1]};
      left <= left - 1;
    end
endmodule
