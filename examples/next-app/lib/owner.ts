import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { secretFor } from './app-data.ts';

/** Name of the cookie that says whose chats a browser may see. */
export const ownerCookie = 'owner';

/** How long chats and the cookie of their owner are kept after they were last used. */
export const keptDays = 30;

/** A new owner, signed. */
export function newOwner(): string {
  return signed(randomUUID());
}

/** The owner that a cookie names; `undefined` unless this app signed it. */
export function ownerOf(cookie: string | undefined): string | undefined {
  const owner = cookie?.split('.')[0] ?? '';
  const [given, expected] = [Buffer.from(cookie ?? ''), Buffer.from(signed(owner))];
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs && owner !== '' ? owner : undefined;
}

function signed(owner: string): string {
  const signature = createHmac('sha256', secretFor('owner')).update(owner).digest('base64url');
  return `${owner}.${signature}`;
}
