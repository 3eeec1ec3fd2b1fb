export { ensurePromptTemplates } from './ensure-prompt-templates.ts';
export { ensureSettings } from './ensure-settings.ts';
export { loadLevelTemplates, type LoadLevelTemplatesOptions } from './load-level-templates.ts';
export { loadPromptTemplates, type LoadPromptTemplatesOptions } from './load-prompt-templates.ts';
export { loadSettings, type LoadedSettings, type LoadSettingsOptions } from './load-settings.ts';
export {
  markdownTreeStore,
  SummaryFileError,
  type MarkdownTreeStoreOptions,
} from '../stores/markdown-tree-store.ts';
export type { StoreMaker, StoreMakers } from './read-store.ts';
export type { StrategyMaker, StrategyMakers, StrategyName } from './read-strategy.ts';
export type { TemplateFolderOptions } from './template-folders.ts';
