// `generateObject` warns that it is deprecated; the warning is the SDK's, not the subject of a test.
Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
