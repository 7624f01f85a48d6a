// A linear feedback shift register of five bits (x^5 + x^3 + 1), which can be seeded.
module top(input clk, input load, input [4:0] seed, output bit_out);
  reg [4:0] state = 1;
  assign bit_out = state[0];
  always @(posedge clk)
    if (load) state <= seed == 0 ? 5'd1 : seed;
    else state <= {state[0] ^ state[2], state[4:1]};
endmodule
