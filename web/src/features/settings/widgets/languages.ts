/** The languages that what stands on a website has words in. */
export const OF_WIDGETS = "de en es fr it nl sv";
