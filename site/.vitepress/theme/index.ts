import theme from 'vitepress/theme';
// oxlint-disable-next-line import/no-unassigned-import -- that is how a theme has its styles
import './style.css';

export default theme;
