import type { CategoryId } from '@petstore/pet-domain';
import { CursorFormat } from '../lists/cursor.js';

/** Positions in the list of categories. */
export const CATEGORY_CURSOR = new CursorFormat<CategoryId>('c_', new Map<string | undefined, string>());
