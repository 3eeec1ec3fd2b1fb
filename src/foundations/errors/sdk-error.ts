import { AISDKError } from '@ai-sdk/provider';
import type { AISDKError as ErrorOfSDK } from 'ai';

/** Base of the SDK's errors, with the type that `ai` gives it, without loading `ai`. */
export const SDKError: typeof ErrorOfSDK = AISDKError;
