import { embedding, h, icon, shadow } from '../common.js';

const embedded = embedding();
if (embedded) {
  const host = h('div');
  shadow(host, 'button { position: fixed; inset-block-end: 1rem; inset-inline-end: 1rem }').append(h('button', { type: 'button', 'aria-label': 'Chat' }, icon('M4 5h16v11H9l-5 4z')));
  document.body.append(host);
}
