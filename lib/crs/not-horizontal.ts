/**
 * EPSG codes (dataset 10.076) that name no place by x and y, yet PROJ transforms with them without an error: a vertical
 * CRS swapped x and y, a geocentric one took degrees for metres. Codes and ranges, ascending.
 */
const VERTICAL = `
  3855 3886 3900 4440 4458 5193 5195 5214 5237 5317 5336 5597 5600-5621 5701-5706 5709-5799 5829 5831 5843
  5861-5874 5941 6130-6132 6178-6187 6357-6360 6638-6644 6647 6693-6695 6916 7446-7447 7651-7652 7699-7700 7707
  7832 7837 7839 7841 7888-7890 7962 7968 7976 7979 8050-8053 8089 8228 8266-8267 8357-8358 8378 8434 8675
  8690-8691 8841 8881 8897 8904 8911 9130 9245 9255 9274 9279 9287-9288 9303 9335 9351 9389-9390 9392-9402 9451
  9458 9471 9650-9651 9663 9666 9669 9672 9675 9681 9721-9722 9923 9927 20000 20034-20036
`;

const GEOCENTRIC = `
  3822 3887 4000 4039 4073 4079 4328 4330-4338 4340 4342 4344 4346 4348 4350 4352 4354 4356 4358 4360 4362 4364
  4366 4368 4370 4372 4374 4376 4378 4380 4382 4384-4385 4387 4389 4465 4468 4473 4479 4481 4556 4882 4884 4886
  4888 4890 4892 4894 4896-4897 4899 4906 4908 4910-4920 4922 4924 4926 4928 4930 4932 4934 4936 4938 4940 4942
  4944 4946 4948 4950 4952 4954 4956 4958 4960 4962 4964 4966 4968 4970 4972 4974 4976 4978 4980 4982 4984 4986
  4988 4990 4992 4994 4996 4998 5011 5244 5250 5262 5322 5332 5341 5352 5358 5363 5368-5369 5379 5391 5487 5544
  5558 5591 5828 5884 6133 6309 6317 6320 6323 6363 6666 6704 6781 6934 6978 6981 6985 6988 7071 7134 7137 7371
  7656 7658 7660 7662 7664 7677 7679 7681 7684 7789 7796 7815 7842 7879 7884 7914 7916 7918 7920 7922 7924 7926
  7928 7930 8084 8227 8230 8233 8238 8242 8247 8250 8253 8397 8401 8425 8429 8541 8543 8683 8697 8816 8898 8905
  8915 8917 8919 8921 8923 8925 8927 8929 8931 8933 8935 8937 8939 8941 8943 8945 8947 9001 9004 9007 9010 9015
  9070 9073 9138 9146 9151 9182 9266 9292 9307 9331 9378 9468 9545 9694 9700 9753 9775 9780 9892 9988 20039
`;

/** Esri's codes, which PROJ finds under EPSG too. */
const ESRI_VERTICAL = '105603 105700-105704 105790-105794 115700-115879';

/** Esri's codes of planets and moons; PROJ finds them under EPSG too. */
const OTHER_BODIES = '103877-103887 104872-104879 104897-104989 104993-104999';

function codesOf(ranges: string): ReadonlySet<number> {
  const codes = new Set<number>();
  for (const range of ranges.trim().split(/\s+/)) {
    const [first, last] = range.split('-').map(Number);
    for (let code = first as number; code <= (last ?? (first as number)); code++) codes.add(code);
  }
  return codes;
}

const VERTICAL_CODES = codesOf(`${VERTICAL} ${ESRI_VERTICAL}`);
const GEOCENTRIC_CODES = codesOf(GEOCENTRIC);

const OTHER_BODY_CODES = codesOf(OTHER_BODIES);

/** Whether a number, as an Esri or EPSG code, is a CRS of another body than the Earth. */
export function isOtherBody(code: number): boolean {
  return OTHER_BODY_CODES.has(code);
}

/** Why an EPSG or Esri code cannot place x and y, or null where it can as far as this list knows. */
export function whyNotHorizontal(code: number): string | null {
  if (VERTICAL_CODES.has(code)) return `${code} is a vertical CRS: it has heights, no x and y`;
  if (GEOCENTRIC_CODES.has(code)) return `${code} is a geocentric CRS: X, Y and Z from the centre of the Earth`;
  return null;
}
