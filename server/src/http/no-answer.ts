/** What is said to requests that lead nowhere. */
export interface NoAnswer {
  http: number;
  code: string;
  message: string;
}

export const unknownUrl: NoAnswer = {
  http: 404,
  code: 'unknown_url',
  message: 'Nothing exists at this address, or it does not support this method.',
};
export const badRequest: NoAnswer = {
  http: 400,
  code: 'invalid_request',
  message: 'The request could not be read.',
};
export const httpsRequired: NoAnswer = {
  http: 400,
  code: 'https_required',
  message: 'This server accepts only HTTPS. Nothing was done.',
};
