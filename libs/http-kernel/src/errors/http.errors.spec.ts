import { describe, expect, it } from '@jest/globals';
import { ApiError, errorBody } from './api-error.js';
import { ERROR_CATALOGUE, ERROR_CODES } from './http.errors.js';

describe('the error catalogue', () => {
  it.each(ERROR_CODES)('%s has an error status and whole sentences', (code) => {
    const { status, message, when } = ERROR_CATALOGUE[code];
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    expect(message).toMatch(/^[A-Z].*\.$/);
    expect(when).toMatch(/^[A-Z].*\.$/);
  });

  it('is ordered by status', () => {
    const statuses = ERROR_CODES.map((code) => ERROR_CATALOGUE[code].status);
    expect(statuses).toEqual([...statuses].sort((a, b) => a - b));
  });

  it('makes bodies of exactly code, message and status', () => {
    expect(JSON.parse(errorBody('pet_not_found'))).toEqual({
      code: 'pet_not_found',
      message: 'No pet has this id.',
      status: 404,
    });
  });

  it('gives an error the words and status of its code unless it has better words', () => {
    expect(new ApiError('operation_removed')).toMatchObject({
      status: 410,
      message: ERROR_CATALOGUE.operation_removed.message,
    });
    expect(new ApiError('validation_failed', { message: 'name is missing.' }).message).toBe(
      'name is missing.',
    );
  });
});
