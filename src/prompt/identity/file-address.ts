/** Names the file at a URL; `undefined` leaves that to the package. */
export type FileIdentity = (url: string) => string | undefined;

/** Prefixes of the names of query parameters that sign a URL: Amazon S3 and Google Cloud Storage. */
const signingPrefixes = ['x-amz-', 'x-goog-'] as const;

/**
 * Names of other query parameters that sign a URL or say when it expires: of S3 and GCS in their older forms,
 * CloudFront, Supabase, Firebase, Alibaba OSS and Tencent COS.
 */
const signing: ReadonlySet<string> = new Set(
  (
    'awsaccesskeyid googleaccessid ossaccesskeyid signature expires policy key-pair-id hash-algorithm token sig ' +
    'x-oss-signature x-oss-signature-version x-oss-credential x-oss-date x-oss-expires x-oss-security-token ' +
    'q-sign-algorithm q-ak q-sign-time q-key-time q-header-list q-url-param-list q-signature'
  ).split(' '),
);

/** Names in a shared access signature of Azure. They mean something else without a `sig` beside them. */
const signingAtAzure: ReadonlySet<string> = new Set(
  'se si sip sp spr sr srt ss st sv sdd scid saoid suoid ske skoid sks skt sktid skv'.split(' '),
);

/** Removes the query parameters that sign the URL of a file: a new signature does not make another file of it. */
export function unsignedAddress(url: string): string {
  const start = url.indexOf('?');
  if (start === -1 || !/^https?:/i.test(url)) return url;
  const end = url.indexOf('#', start);
  const [query, fragment] =
    end === -1 ? [url.slice(start + 1), ''] : [url.slice(start + 1, end), url.slice(end)];
  const parameters = query.split('&').map((parameter) => {
    const [name = ''] = parameter.split('=', 1);
    return { parameter, name: name.toLowerCase() };
  });
  const isAzure = parameters.some(({ name }) => name === 'sig');
  const others = parameters.filter(
    ({ name }) =>
      !signing.has(name) &&
      !(isAzure && signingAtAzure.has(name)) &&
      !signingPrefixes.some((prefix) => name.startsWith(prefix)),
  );
  if (others.length === parameters.length) return url;
  const rest = others.map(({ parameter }) => parameter).join('&');
  return `${url.slice(0, start)}${rest === '' ? '' : '?'}${rest}${fragment}`;
}

/**
 * Wraps the file identity of the application so that it never throws.
 *
 * @param onFault - Called for the first error or result that is not a string. The package names such a file itself.
 */
export function safeFileIdentity(
  given: FileIdentity | undefined,
  onFault: (fault: unknown) => void,
): FileIdentity | undefined {
  if (given === undefined) return undefined;
  let isTold = false;
  return (url) => {
    try {
      const name: unknown = given(url);
      if (name === undefined || typeof name === 'string') return name;
      throw new TypeError('fileIdentity returns a text, or nothing.');
    } catch (fault) {
      if (!isTold) onFault(fault);
      isTold = true;
      return undefined;
    }
  };
}
