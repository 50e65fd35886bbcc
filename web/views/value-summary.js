// A value's JSON in a row of a tree.
import { kindOf } from '../json/parse.js';
import { countOf, preview } from '../json/value.js';
import { count } from '../ui/format.js';

/** A preview; of a long string, the part with the query. */
export function summary({ value, open }, keys, query) {
  const kind = kindOf(value);
  const size = keys?.length ?? countOf(value);
  if (kind === 'array' && (open || size > 3)) return `[${count(size)}]${open ? '' : ` ${preview(value, 80)}`}`;
  if (kind === 'object' && open) return `{${count(size)}}`;
  const place = kind === 'string' && query !== '' ? value.toLowerCase().indexOf(query) : -1;
  return place > 60 ? `…${preview(value.slice(place - 20), 160)}` : preview(value, 160);
}
