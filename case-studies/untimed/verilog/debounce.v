// A switch without bouncing: the output follows when the input was the same for four steps.
module top(input clk, input raw, output clean, output pressed);
  reg state = 0, before = 0;
  reg [1:0] same = 0;
  assign clean = state;
  assign pressed = state && !before;
  always @(posedge clk) begin
    before <= state;
    if (raw == state) same <= 0;
    else if (same == 3) begin
      state <= raw;
      same <= 0;
    end else same <= same + 1;
  end
endmodule
