// The receiving half: four bits after a start bit, then a parity bit; it shows the word, or that the parity is wrong.
module top(input clk, input line, output [3:0] word, output ready, output bad);
  reg [2:0] at = 0;
  reg [3:0] bits = 0;
  reg done = 0, wrong = 0;
  assign word = done ? bits : 0;
  assign ready = done;
  assign bad = wrong;
  always @(posedge clk) begin
    done <= 0;
    wrong <= 0;
    if (at == 0) at <= line ? 0 : 1;
    else if (at < 5) begin
      bits <= {line, bits[3:1]};
      at <= at + 1;
    end else begin
      at <= 0;
      if (line == ^bits) done <= 1;
      else wrong <= 1;
    end
  end
endmodule
