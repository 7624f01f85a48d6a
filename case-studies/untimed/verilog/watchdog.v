// A watchdog: without a kick for six steps it warns, for eight it resets, which lasts two steps.
module top(input clk, input kick, output warn, output reset);
  reg [3:0] count = 0;
  assign warn = count >= 6 && count < 8;
  assign reset = count >= 8;
  always @(posedge clk)
    if (count >= 9) count <= 0;
    else if (count < 8 && kick) count <= 0;
    else count <= count + 1;
endmodule
