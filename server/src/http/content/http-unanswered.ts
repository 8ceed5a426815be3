/** The responses to requests that no operation and no page can handle. */
export interface HttpUnanswered {
  http: number;
  code: string;
  message: string;
}

export const unknownUrl: HttpUnanswered = {
  http: 404,
  code: 'unknown_url',
  message: 'Nothing exists at this address, or it does not support this method.',
};
export const badRequest: HttpUnanswered = {
  http: 400,
  code: 'invalid_request',
  message: 'The request could not be read.',
};
export const httpsRequired: HttpUnanswered = {
  http: 400,
  code: 'https_required',
  message: 'This server accepts only HTTPS. Nothing was done.',
};
