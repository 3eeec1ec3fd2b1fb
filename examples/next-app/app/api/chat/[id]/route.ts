import { isChatId } from '../../../../lib/chat-id.ts';
import { loadChat } from '../../../../lib/chat-store.ts';
import { requestOwner } from '../../../../lib/request-guard.ts';

/** The conversation as it is stored, for a page with an older view. */
export async function GET(
  request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  const { id } = await params;
  const owner = requestOwner(request);
  const chat = owner !== undefined && isChatId(id) ? loadChat({ id, owner }) : undefined;
  if (chat === undefined) return new Response('There is no such chat.', { status: 404 });
  const { messages, settings } = chat;
  const branches = chat.branches.map((branch) => branch.map((message) => message.id));
  return Response.json({ messages, settings, branches });
}
