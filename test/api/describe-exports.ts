import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync, type EcmaScriptModule } from 'oxc-parser';

/** A declaration file: where each of its names is declared, or from where it comes. */
interface DeclarationFile {
  readonly exports: ReadonlyMap<string, string>;
  readonly imports: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
  /** Texts without comments, by the name that they declare; overloads of a function are joined. */
  readonly declarations: ReadonlyMap<string, string>;
}

/** An export of an entry, as a user's compiler sees it. */
export interface ExportedName {
  readonly name: string;
  /** Whether the name exists when the program runs. */
  readonly isValue: boolean;
  /** Its declaration without comments, under its exported name. */
  readonly text: string;
}

/** The exports of an entry, and the declarations that they mention without exporting them. */
export interface EntryReport {
  readonly exported: readonly ExportedName[];
  readonly mentioned: ReadonlyMap<string, string>;
}

/** Reads declaration files as a build writes them, with the declarations of an entry in one or several of them. */
export function declarationReader(): (file: string) => EntryReport {
  const files = new Map<string, DeclarationFile>();
  const read = (file: string): DeclarationFile => {
    const known = files.get(file) ?? readDeclarations(file);
    files.set(file, known);
    return known;
  };
  /** The declaration behind a name of a file; `undefined` for a name of another package. */
  const find = (
    file: string,
    name: string,
  ): { text: string; file: string; local: string } | undefined => {
    const { imports, declarations } = read(file);
    const text = declarations.get(name);
    if (text !== undefined) return { text, file, local: name };
    const from = imports.get(name);
    if (from === undefined) return undefined;
    return find(from.file, read(from.file).exports.get(from.name) ?? from.name);
  };
  return (entry) => {
    const mentioned = new Map<string, string>();
    const seen = new Set<string>();
    const names = [...read(entry).exports].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const exported = names.map(([name, local]) => {
      const found = find(entry, local);
      if (found === undefined)
        throw new Error(`${entry} exports ${name}, which is declared nowhere.`);
      seen.add(`${found.file}#${found.local}`);
      const text = found.text.replace(
        new RegExp(`\\b${found.local.replaceAll('$', '\\$')}\\b`),
        name,
      );
      return {
        name,
        text,
        found,
        isValue: /^(?:declare|abstract|class|const|function|enum)\b/.test(text),
      };
    });
    const mention = ({ text, file }: { text: string; file: string }): void => {
      for (const word of new Set(text.match(/[\w$]+/g))) {
        const found = find(file, word);
        const key = found && `${found.file}#${found.local}`;
        if (found === undefined || key === undefined || seen.has(key)) continue;
        seen.add(key);
        mentioned.set(found.local, found.text);
        mention(found);
      }
    };
    for (const { found } of exported) mention(found);
    return {
      exported: exported.map(({ name, isValue, text }) => ({ name, isValue, text })),
      mentioned,
    };
  };
}

function readDeclarations(file: string): DeclarationFile {
  const source = readFileSync(file, 'utf8');
  const { program, module, comments, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new SyntaxError(`${file}: ${errors[0].message}`);
  const bare = (start: number, end: number): string => {
    let text = '';
    let at = start;
    for (const comment of comments)
      if (comment.start >= start && comment.end <= end) {
        text += source.slice(at, comment.start);
        at = comment.end;
      }
    return (text + source.slice(at, end)).replaceAll(/^\s*\n/gm, '').trim();
  };
  const declarations = new Map<string, string>();
  for (const node of program.body) {
    const name = declaredName(node);
    if (name === undefined) continue;
    const before = declarations.get(name);
    const text = bare(node.start, node.end);
    declarations.set(name, before === undefined ? text : `${before}\n${text}`);
  }
  return { exports: exportsOf(module), imports: importsOf(file, module), declarations };
}

function declaredName(node: object): string | undefined {
  const ids = [
    Reflect.get(node, 'id'),
    ...[Reflect.get(node, 'declarations')].flat().map((one) => Object(one).id),
  ];
  return ids.map((id) => Object(id).name).find((name) => typeof name === 'string');
}

/** What a name of a re-export is called within its file: no identifier, so that it hides none. */
const reExported = (name: string): string => `from ${name}`;

function exportsOf(module: EcmaScriptModule): ReadonlyMap<string, string> {
  const entries = module.staticExports.flatMap(({ entries: all }) => all);
  return new Map(
    entries.map(({ exportName, localName, moduleRequest }) => {
      const name = exportName.name ?? 'default';
      return [name, moduleRequest === null ? (localName.name ?? name) : reExported(name)];
    }),
  );
}

function importsOf(file: string, module: EcmaScriptModule): DeclarationFile['imports'] {
  const at = (specifier: string): string =>
    path.join(path.dirname(file), specifier.replace(/\.js$/, '.d.ts'));
  const imports = new Map<string, { readonly file: string; readonly name: string }>();
  for (const { moduleRequest, entries } of module.staticImports)
    for (const { importName, localName } of entries)
      if (moduleRequest.value.startsWith('.'))
        imports.set(localName.value, {
          file: at(moduleRequest.value),
          name: importName.name ?? 'default',
        });
  for (const { entries } of module.staticExports)
    for (const { exportName, importName, moduleRequest } of entries)
      if (moduleRequest !== null)
        imports.set(reExported(exportName.name ?? 'default'), {
          file: at(moduleRequest.value),
          name: importName.name ?? 'default',
        });
  return imports;
}
