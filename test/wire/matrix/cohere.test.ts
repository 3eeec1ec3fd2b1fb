import { describeMatrix } from './describe-matrix.ts';

describeMatrix('cohere');
