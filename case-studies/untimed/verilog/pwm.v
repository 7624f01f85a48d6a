// A pulse of variable width: the output is on for as many of eight steps as the level says, which is taken at the start.
module top(input clk, input [2:0] level, output pulse, output frame);
  reg [2:0] count = 0, width = 0;
  assign pulse = count < width;
  assign frame = count == 0;
  always @(posedge clk) begin
    count <= count + 1;
    if (count == 7) width <= level;
  end
endmodule
