/** Key of the package's own options in `providerOptions` and of its results in `providerMetadata`. */
export const providerOptionsKey = 'summarization';
