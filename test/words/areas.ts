/** A part of the repository with counts of its own. */
export interface Area {
  readonly name: string;
  readonly files: readonly string[];
  readonly except?: readonly string[];
  /** Of the texts in quotes, only the titles of tests. */
  readonly titlesOnly?: boolean;
}

/** Source whose comments editors show to users. */
const publicSource = [
  'src/{entries,call/options,foundations/errors,foundations/record}/**/*.{ts,tsx}',
  'src/middleware.ts',
];

export const areas: readonly Area[] = [
  {
    name: 'documents',
    files: ['*.md', 'docs/*.md', 'skills/**/*.md', '.changeset/*.md', '.github/**/*.md'],
  },
  { name: 'prompts', files: ['prompts/**/*.md'] },
  {
    name: 'examples',
    files: ['examples/**/*.{ts,tsx,md}'],
    except: ['**/.next/**', '**/*.d.ts'],
  },
  { name: 'public source', files: publicSource },
  { name: 'source', files: ['src/**/*.{ts,tsx}'], except: publicSource },
  {
    name: 'tests and benches',
    files: ['{test,bench,site}/**/*.{ts,md}', '*.ts'],
    except: ['**/*.d.ts', '**/dist/**'],
    titlesOnly: true,
  },
];
