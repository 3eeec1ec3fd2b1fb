import { describeMatrix } from './describe-matrix.ts';

describeMatrix('amazon-bedrock');
