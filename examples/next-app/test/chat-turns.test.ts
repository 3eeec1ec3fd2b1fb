import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { takeTurn } from '../lib/chat-turns.ts';

it('gives one conversation one turn after the other, and keeps no other waiting', async () => {
  const order: string[] = [];
  const turn = async (chatId: string, name: string): Promise<() => void> => {
    const end = await takeTurn(chatId);
    order.push(name);
    return end;
  };
  const endFirst = await turn('chat', 'first');
  const rest = ['second', 'third'].map(async (name) => (await turn('chat', name))());
  (await turn('other chat', 'other'))();
  await setImmediate();
  order.push('first ends');
  endFirst();
  await Promise.all(rest);
  (await turn('chat', 'fourth'))();
  expect(order).toEqual(['first', 'other', 'first ends', 'second', 'third', 'fourth']);
});
