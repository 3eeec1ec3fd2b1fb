import type { SummarizationOptions, SummaryStore } from 'ai-sdk-summarization';
import type { recallTool } from 'ai-sdk-summarization/recall';
import type { ToolSet } from 'ai';
import type { QuizQuestion } from './conversation.ts';

/** Parts that the demo with the recall tool adds to the loop. */
export interface RecallDemo {
  /** For the middleware: where the archive is. */
  readonly options: Pick<SummarizationOptions, 'store' | 'archive'>;
  readonly conversationId: string;
  readonly tools: ToolSet;
  /** Files that the agent can read in this run only. */
  readonly files: Readonly<Record<string, string>>;
  /** The first request of the user. */
  readonly request: string;
  /** Asks for a detail that no summary keeps. */
  readonly quiz: QuizQuestion;
}

/** Tokens an answer of the tool may take: the context of the demo is small. */
const maxTokens = 600;

/**
 * Makes the demo. The marker that is asked for is drawn anew each time: it stands in no script.
 *
 * @param makeTool - `recallTool`.
 */
export function recallDemo(store: SummaryStore, makeTool: typeof recallTool): RecallDemo {
  const marker = crypto.randomUUID().replaceAll('-', '');
  const conversationId = 'demo';
  const steps = Array.from({ length: 24 }, (_, index) =>
    index === 16 ? `checksum of the image: ${marker}` : `step ${index}: done, nothing to note`,
  );
  return {
    options: { store, archive: true },
    conversationId,
    tools: { recall: makeTool({ store, conversationId, maxTokens }) },
    files: { 'deploy.log': steps.join('\n') },
    request: 'Read `deploy.log`.',
    quiz: {
      question: 'What was the `checksum of the image` in it?',
      expected: marker,
      lead: 'Recall `deployed image checksum`.',
    },
  };
}
