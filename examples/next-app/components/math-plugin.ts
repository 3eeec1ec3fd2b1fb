import 'katex/dist/katex.min.css';

export { math as mathPlugin } from '@streamdown/math';
