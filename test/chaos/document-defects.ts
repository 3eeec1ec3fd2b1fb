import { untyped } from '../support/untyped.ts';
import type { DocumentFunctions, Plant } from './planted-defects.ts';

let planted: Plant['documents'];

/** Lets the functions of documents that are {@link withDefects} have a defect from now on, or none. */
export function plantInDocuments(documents: Plant['documents']): void {
  planted = documents;
}

/** The functions of a module, each of which is what the planted defect makes of it. */
export function withDefects<Module extends Partial<DocumentFunctions>>(right: Module): Module {
  const found = Object.entries(right).map(([name, own]): [string, unknown] => {
    if (typeof own !== 'function') return [name, own];
    const changed = (...given: unknown[]): unknown => {
      const defects: object = planted?.(untyped(right)) ?? {};
      return Reflect.apply(Reflect.get(defects, name) ?? own, undefined, given);
    };
    return [name, changed];
  });
  return untyped(Object.fromEntries(found));
}
