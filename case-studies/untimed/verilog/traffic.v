// Two lights that take turns; green lasts four steps, or longer while nobody waits on the other road.
module top(input clk, input waits_a, input waits_b, output [1:0] a, output [1:0] b);
  localparam GREEN = 2, YELLOW = 1, RED = 0;
  reg [1:0] phase = 0;
  reg [1:0] count = 0;
  assign a = phase == 0 ? GREEN : phase == 1 ? YELLOW : RED;
  assign b = phase == 2 ? GREEN : phase == 3 ? YELLOW : RED;
  wire go_on = phase[0] || (count == 3 && (phase == 0 ? waits_b : waits_a));
  always @(posedge clk)
    if (go_on) begin
      phase <= phase + 1;
      count <= 0;
    end else if (count != 3) count <= count + 1;
endmodule
