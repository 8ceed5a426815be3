/**
 * Describes the printer to CUPS: it takes PDF, in colour and without margins. CUPS 3 will have no such files; the printer must
 * then be one that speaks IPP.
 */

/** In points. */
const inch = 72;
/** Width and height in points. The first one is the default. */
const papers = {
  A4: [595, 842],
  Letter: [8.5 * inch, 11 * inch],
  A3: [842, 1191],
  A5: [420, 595],
  Legal: [8.5 * inch, 14 * inch],
};

const [defaultPaper] = Object.keys(papers);
const sizes = Object.entries(papers);

const choice = (keyword: string): string[] => [
  `*OpenUI *${keyword}/Paper: PickOne`,
  `*OrderDependency: 10 AnySetup *${keyword}`,
  `*Default${keyword}: ${defaultPaper}`,
  ...sizes.map(([name, size]) => `*${keyword} ${name}: "<</PageSize[${size.join(' ')}]>>setpagedevice"`),
  `*CloseUI: *${keyword}`,
];

export const printerDescription = [
  '*PPD-Adobe: "4.3"',
  '*FormatVersion: "4.3"',
  '*FileVersion: "1.0"',
  '*LanguageVersion: English',
  '*LanguageEncoding: ISOLatin1',
  '*PCFileName: "DRAWBRDG.PPD"',
  '*Manufacturer: "Drawbridge"',
  '*Product: "(Drawbridge)"',
  '*ModelName: "Drawbridge"',
  '*ShortNickName: "Drawbridge"',
  '*NickName: "Drawbridge, sends PDF to the operator"',
  '*PSVersion: "(3010.000) 0"',
  '*LanguageLevel: "3"',
  '*ColorDevice: True',
  '*DefaultColorSpace: RGB',
  '*cupsVersion: 2.2',
  // The filters of CUPS apply what the person chose, such as pages and copies; their PDF is passed on as it is.
  '*cupsFilter2: "application/vnd.cups-pdf application/pdf 0 -"',
  ...choice('PageSize'),
  ...choice('PageRegion'),
  `*DefaultImageableArea: ${defaultPaper}`,
  ...sizes.map(([name, size]) => `*ImageableArea ${name}: "0 0 ${size.join(' ')}"`),
  `*DefaultPaperDimension: ${defaultPaper}`,
  ...sizes.map(([name, size]) => `*PaperDimension ${name}: "${size.join(' ')}"`),
  '',
].join('\n');
