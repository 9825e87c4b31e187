import { Inject, Injectable } from '@nestjs/common';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { formatLinks, type ResponseHeaders, setHeaders } from '@petstore/http-server';
import { API_BASE_PATH } from '../paths.js';
import { LinkBuilder } from './link-builder.js';
import { OperationRegistry, targetsOf } from './operation-registry.js';
import { OPERATION_SETTINGS, type OperationSettings } from './operations.settings.js';

/** What responses of an operation say of its end. */
interface Notice {
  readonly method: string;
  /** What targets of its requests look like. */
  readonly target: RegExp;
  /** RFC 9745, RFC 8594, RFC 8288. */
  readonly fields: ResponseHeaders;
}

/** Says on each response of a deprecated operation, refusals included, that it is one. */
@Injectable()
export class Deprecations {
  private readonly notices: readonly Notice[];

  constructor(
    { operations }: OperationRegistry,
    links: LinkBuilder,
    @Inject(OPERATION_SETTINGS.KEY) settings: OperationSettings,
  ) {
    this.notices = operations.flatMap(({ method, path, deprecation }) => {
      if (deprecation === undefined) return [];
      const { since, sunset, successor } = deprecation;
      const fields = {
        Deprecation: `@${Math.floor(settings[since].getTime() / 1000)}`,
        Sunset: sunset.toUTCString(),
        Link: formatLinks([
          { target: links.guide('deprecation'), rel: 'deprecation', type: 'text/html' },
          { target: links.to(successor.path), rel: 'successor-version' },
        ]),
      };
      return [{ method, target: targetsOf(API_BASE_PATH + path), fields }];
    });
  }

  /** Called before a request is routed: what is refused then is announced, too. */
  announce({ method, url = '' }: IncomingMessage, response: ServerResponse): void {
    const routed = method === 'HEAD' ? 'GET' : method;
    for (const { method: own, target, fields } of this.notices)
      if (own === routed && target.test(url)) setHeaders(response, fields);
  }
}
