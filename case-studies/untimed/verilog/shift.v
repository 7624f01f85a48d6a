// A shift register of four bits that shifts either way, turns round, or stays.
module top(input clk, input [1:0] mode, input bit_in, output [3:0] word);
  reg [3:0] state = 0;
  assign word = state;
  always @(posedge clk)
    case (mode)
      1: state <= {state[2:0], bit_in};
      2: state <= {bit_in, state[3:1]};
      3: state <= {state[0], state[3:1]};
      default: state <= state;
    endcase
endmodule
