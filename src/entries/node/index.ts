export { ensureSettings, loadSettings, type LoadSettingsOptions } from './settings.ts';
export {
  ensurePromptTemplates,
  loadLevelTemplates,
  loadPromptTemplates,
  type LoadLevelTemplatesOptions,
  type LoadPromptTemplatesOptions,
  type TemplateFolderOptions,
} from './templates.ts';
export {
  markdownTreeStore,
  type MarkdownTreeStoreOptions,
} from '../../state/stores/markdown-tree-store.ts';
