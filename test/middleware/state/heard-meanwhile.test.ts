import { expect, it } from 'vitest';
import { knownStrategy } from '../../properties/rig/known-strategy.ts';
import { setUp } from '../../support/set-up.ts';
import { sharedStore } from '../../support/shared-store.ts';
import { secret, send, summarize, talk } from '../../support/summarized-chat.ts';
import { turns } from '../../support/until.ts';

const conversationId = 'chat 1';

it('continues a summary by the same names, whenever another call hears of it', async () => {
  const messages = talk(23);
  for (let moment = 0; moment < 40; moment += 1) {
    const shared = sharedStore();
    await summarize(shared.open(), messages.slice(0, 15), { conversationId });
    const options = {
      contextLength: 100_000,
      preserveRecent: 2,
      preserveRecentTokenRatio: 0,
      strategy: knownStrategy(),
      store: shared.open(),
      secret,
    };
    const made = [setUp(options), setUp(options), setUp(options)] as const;
    const beside = send(made[0], messages, { conversationId });
    await turns(moment);
    await send(made[1], messages, { conversationId, force: true });
    await beside;
    await send(made[2], messages, { conversationId, force: true });
    const written = made.flatMap(({ events }) => events.filter(({ type }) => type === 'end'));
    expect(written, `at turn ${moment}`).toHaveLength(1);
  }
});
