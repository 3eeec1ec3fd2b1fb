import { describe, expect, it } from 'vitest';
import { findValues } from '../../../../../src/strategies/grounding/values/find-values.ts';

/** Whether each value of a claim is borne out by a source. */
function bearsOut(source: string, claim: string): boolean {
  const means = new Set(findValues(source).flatMap((value) => value.means));
  const values = findValues(claim).filter(({ readings }) => readings.length > 0);
  return (
    values.length > 0 && values.every(({ readings }) => readings.some((key) => means.has(key)))
  );
}

describe('findValues', () => {
  it.each([
    ['1000', '1,000'],
    ['1,000', '1.000'],
    ['1,000', '1 000'],
    ['1,000', '1\u202f000'],
    ['12,450.50', '12.450,5'],
    ['1,234,567', '1.234.567'],
    ['1,25,000', '125000'],
    ['1,250,000', '1.25 million'],
    ['1.25 Mio.', '1250000'],
    ['10000', '10k'],
    ['125万', '1,250,000'],
    ['12.5%', '12,5 Prozent'],
    ['$1,299.00', '1299 USD'],
    ['705 seconds', '705s'],
    ['3.5GB', '3,5 Go'],
    ['seven tests', '7 Tests'],
    ['sieben Tests', '7 tests'],
    ['٣٤٢', '342'],
    ['３４２', '342'],
    ['2027-03-14', 'March 14, 2027'],
    ['2027-03-14', '14 March 2027'],
    ['2027-03-14', '14th of March 2027'],
    ['2027-03-14', '14. März 2027'],
    ['2027-03-14', '14 mars 2027'],
    ['2027-03-14', '14 de marzo de 2027'],
    ['2027-03-14', '14 марта 2027'],
    ['2027-03-14', '2027年3月14日'],
    ['2027-03-14', '2027년 3월 14일'],
    ['2027-03-14', '03/14/2027'],
    ['2027-03-14', '14/03/2027'],
    ['2027-03-14', '14.3.2027'],
    ['2027-03-14', '14.3.27'],
    ['March 14, 2027', 'March 14'],
    ['May 20th', '2027-05-20'],
    ['2:30 PM', '14:30'],
    ['14h30', '2:30 pm'],
    ['2 PM', '14 Uhr'],
    ['下午2点30', '14:30'],
    ['src/auth/session.ts', '`./src/auth/session.ts`'],
    ['/repo/src/auth/session.ts', 'session.ts'],
    ['src\\auth\\session-4.ts', 'session-4.ts'],
    ['getUserById()', '"getUserById"'],
    ['OPS-4711', 'ops-4711'],
    ['OPS-4711', 'ticket 4711'],
    ['v1.2.3', '1.2.3'],
    ['https://example.com/a?b=1', '(https://example.com/a?b=1)'],
  ])('takes %s and %s for the same', (source, claim) => {
    expect(bearsOut(source, claim)).toBe(true);
  });

  it.each([
    ['1,000', '1,001'],
    ['1,250,000', '1.26 million'],
    ['12.5%', '15.2%'],
    ['2027-03-14', '2027-03-15'],
    ['2027-03-14', 'March 14, 2026'],
    ['2027-03-14', '14 April'],
    ['2:30 PM', '2:35 PM'],
    ['OPS-4711', 'OPS-4712'],
    ['OPS-47112', 'OPS-4711'],
    ['src/auth/session.ts', 'src/orders/session.ts'],
    ['getUserById', 'getUserByName'],
    ['1.2.3', '1.2.4'],
  ])('tells %s from %s', (source, claim) => {
    expect(bearsOut(source, claim)).toBe(false);
  });

  it.each(['5 may fail', '3 out of nine', 'and/or', 'the 24-hour day', 'Well done. Next'])(
    'sees neither a date nor an identifier in "%s"',
    (text) => {
      const kinds = findValues(text).map(({ kind }) => kind);
      expect(kinds.filter((kind) => kind !== 'number')).toEqual([]);
    },
  );
});
