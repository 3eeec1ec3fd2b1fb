import { NextResponse, type NextRequest } from 'next/server';
import { keptDays, newOwner, ownerCookie, ownerOf } from './lib/owner.ts';

/** Gives each browser an owner of its own, before its first page is made. */
export function proxy(request: NextRequest): NextResponse {
  const given = request.cookies.get(ownerCookie)?.value;
  const owner = ownerOf(given) === undefined ? newOwner() : (given ?? '');
  request.cookies.set(ownerCookie, owner);
  const response = NextResponse.next({ request: { headers: request.headers } });
  response.cookies.set(ownerCookie, owner, {
    httpOnly: true,
    sameSite: 'lax',
    secure: request.nextUrl.protocol === 'https:',
    maxAge: keptDays * 24 * 60 * 60,
    path: '/',
  });
  return response;
}

export const config = { matcher: ['/', '/chat/:path*'] };
