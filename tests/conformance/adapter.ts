/** A network adapter that can be woken. */
export const adapter = {
  Addresses: '',
  Cable: true,
  DCHP: '',
  DNS: '',
  MACAddress: '02-00-00-00-00-01',
  Manufacturer: '',
  Name: 'eth0',
  Speed: 1000,
  WoL: true,
};
