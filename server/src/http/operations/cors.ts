/** CORS headers: web pages of the origins named in the settings may call the API, others learn nothing. */
const preflightSeconds = '600';

export function corsHeaders(
  origin: string | undefined,
  allowed: readonly string[],
  methods?: string,
): Record<string, string> {
  if (allowed.length === 0) return {};
  const isPublic = allowed.includes('*');
  if (!isPublic && (origin === undefined || !allowed.includes(origin))) return { Vary: 'Origin' };
  return {
    ...(!isPublic && { Vary: 'Origin' }),
    'Access-Control-Allow-Origin': isPublic ? '*' : origin!,
    'Access-Control-Expose-Headers': 'ETag, RateLimit, RateLimit-Policy, Retry-After',
    ...(methods !== undefined && {
      'Access-Control-Allow-Methods': methods,
      'Access-Control-Allow-Headers': 'X-Api-Key, Content-Type, If-None-Match',
      'Access-Control-Max-Age': preflightSeconds,
    }),
  };
}
