// A FIFO of four places for words of one bit, with pointers that go round.
module top(input clk, input push, input pop, input d, output q, output full, output empty);
  reg [3:0] cells = 0;
  reg [2:0] w = 0, r = 0;
  wire [3:0] place = 4'd1 << w[1:0];
  assign empty = w == r;
  assign full = w[1:0] == r[1:0] && w[2] != r[2];
  assign q = !empty && |(cells & (4'd1 << r[1:0]));
  always @(posedge clk) begin
    if (push && !full) begin
      cells <= d ? cells | place : cells & ~place;
      w <= w + 1;
    end
    if (pop && !empty) r <= r + 1;
  end
endmodule
