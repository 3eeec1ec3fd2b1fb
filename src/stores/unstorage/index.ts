export { unstorageStore, type UnstorageStorage } from './unstorage-store.ts';
