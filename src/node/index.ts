export { ensurePromptTemplates, ensureSettings } from './ensure-files.ts';
export { loadSettings, type LoadedSettings, type LoadSettingsOptions } from './load-settings.ts';
export type {
  StoreMaker,
  StoreMakers,
  StrategyMaker,
  StrategyMakers,
  StrategyName,
} from './load-settings.ts';
export {
  loadLevelTemplates,
  loadPromptTemplates,
  type LoadLevelTemplatesOptions,
  type LoadPromptTemplatesOptions,
} from './load-templates.ts';
export type { TemplateFolderOptions } from './template-files.ts';
export {
  markdownTreeStore,
  SummaryFileError,
  type MarkdownTreeStoreOptions,
} from '../stores/markdown-tree-store.ts';
