import { Injectable } from '@nestjs/common';
import { ChannelKinds } from './channel-kinds.js';

/** No settings, so far. */
class NoSettings {}

/** The channels that need nothing made ready: what we write waits to be fetched. */
@Injectable()
export class FetchedChannels {
  constructor(kinds: ChannelKinds) {
    for (const type of ['api', 'webchat'] as const) kinds.plug({ type, settings: NoSettings, test: () => Promise.resolve('The channel works: it needs no other server') });
  }
}
