import { isChatId, loadChat } from '../../../../lib/chat-store.ts';

/** The conversation as it stands, for a page whose own view is behind. */
export async function GET(
  _request: Request,
  { params }: { readonly params: Promise<{ readonly id: string }> },
): Promise<Response> {
  const { id } = await params;
  if (!isChatId(id)) return new Response('No such chat.', { status: 404 });
  const { messages, settings } = await loadChat(id);
  return Response.json({ messages, settings });
}
