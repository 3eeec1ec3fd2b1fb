import { AISDKError } from '@ai-sdk/provider';
import type { AISDKError as ErrorOfSDK } from 'ai';

/** What the SDK's errors extend, in the type that `ai` gives it, without loading `ai`. */
export const SDKError: typeof ErrorOfSDK = AISDKError;
