import type {components} from '../../target/pages-types/api';

declare global {
  /** What the API says, by its name in the OpenAPI document. */
  type Api<Name extends keyof components['schemas']> = components['schemas'][Name];
}
