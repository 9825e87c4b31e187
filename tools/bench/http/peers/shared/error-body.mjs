const ERRORS = {
  400: ['validation_failed', 'The request is not valid.'],
  401: ['invalid_api_key', 'The API key is missing or not valid.'],
  404: ['pet_not_found', 'There is no such animal.'],
  429: ['rate_limit_exceeded', 'Too many requests.'],
  500: ['internal_error', 'Something went wrong.'],
};

/** Body of an error in the contract's form. */
export function errorBody(status, message = ERRORS[status][1]) {
  return { code: ERRORS[status][0], message, status };
}
