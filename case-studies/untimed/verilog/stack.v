// A stack of three bits; pushing on a full one and popping an empty one set an error that stays.
module top(input clk, input push, input pop, input d, output q, output error);
  reg [2:0] cells = 0;
  reg [1:0] depth = 0;
  reg bad = 0;
  assign q = depth != 0 && cells[0];
  assign error = bad;
  always @(posedge clk) begin
    if (push && !pop) begin
      if (depth == 3) bad <= 1;
      else begin
        cells <= {cells[1:0], d};
        depth <= depth + 1;
      end
    end else if (pop && !push) begin
      if (depth == 0) bad <= 1;
      else begin
        cells <= cells >> 1;
        depth <= depth - 1;
      end
    end
  end
endmodule
