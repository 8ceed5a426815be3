/** The texts about printing to the operator. */

export const printingTexts = {
  label: 'Print',
  turnOn: 'Receive what is printed on the device',
  turnOff: (printer: string) => `Remove the printer ${printer} from the device`,
  starting: 'A printer is added to the device…',
  waiting: 'A printer is added to the device when the connection is back',
  started: (printer: string) => `The device has the printer ${printer}. What is printed on it arrives here.`,
  documents: 'Documents from the device',
  title: 'Document from the device',
  unnamed: 'Document',
  open: 'Open',
  save: 'Save',
  dismiss: 'Discard',
  arriving: (size: string) => `${size} so far`,
  failed: (name: string, reason: string) => `${name || 'A document'} was not printed to you: ${reason}`,
  notWhole: 'It did not arrive completely.',
  tooLarge: 'It is too large.',
};
