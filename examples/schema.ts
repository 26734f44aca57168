// Made by "tain types generate" for an administrator. Do not edit: it is written anew.

export interface Addresses {
  id: number
  customer: number | Customers
  kind: string
  street: string
  postcode: string
  city: string
  country: string
  orders: number[] | Orders[]
}

export interface AddressesCreate {
  id?: number
  customer: number | NestedRow<CustomersCreate, CustomersChange, number>
  kind: string
  street: string
  postcode: string
  city: string
  country: string
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
}

export interface AddressesUpdate {
  customer?: number | NestedRow<CustomersCreate, CustomersChange, number>
  kind?: string
  street?: string
  postcode?: string
  city?: string
  country?: string
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
}

export interface AddressesChange extends AddressesUpdate {
  id: number
}

export interface AddressesFilter extends Conditions<AddressesFilter>, ListFunctions<'orders'> {
  id?: IntegerFilter
  customer?: IntegerFilter | CustomersFilter
  kind?: StringFilter
  street?: StringFilter
  postcode?: StringFilter
  city?: StringFilter
  country?: StringFilter
  orders?: IntegerFilter | OrdersFilter | Quantified<OrdersFilter>
}

export interface BlockGallery {
  id: number
  title: string | null
  pictures: Json | null
}

export interface BlockGalleryCreate {
  id?: number
  title?: string | null
  pictures?: unknown
}

export interface BlockGalleryUpdate {
  title?: string | null
  pictures?: unknown
}

export interface BlockGalleryChange extends BlockGalleryUpdate {
  id: number
}

export interface BlockGalleryFilter extends Conditions<BlockGalleryFilter>, JsonFunctions<'pictures'> {
  id?: IntegerFilter
  title?: StringFilter
  pictures?: JsonFilter
}

export interface BlockQuote {
  id: number
  quote: string
  author: string | null
}

export interface BlockQuoteCreate {
  id?: number
  quote: string
  author?: string | null
}

export interface BlockQuoteUpdate {
  quote?: string
  author?: string | null
}

export interface BlockQuoteChange extends BlockQuoteUpdate {
  id: number
}

export interface BlockQuoteFilter extends Conditions<BlockQuoteFilter> {
  id?: IntegerFilter
  quote?: StringFilter
  author?: StringFilter
}

export interface BlockText {
  id: number
  body: string
}

export interface BlockTextCreate {
  id?: number
  body: string
}

export interface BlockTextUpdate {
  body?: string
}

export interface BlockTextChange extends BlockTextUpdate {
  id: number
}

export interface BlockTextFilter extends Conditions<BlockTextFilter> {
  id?: IntegerFilter
  body?: StringFilter
}

export interface Categories {
  id: number
  name: string
  slug: string
  parent: number | Categories | null
  categories: number[] | Categories[]
  product_categories: string[] | ProductCategories[]
  products: number[] | Products[]
}

export interface CategoriesCreate {
  id?: number
  name: string
  slug: string
  parent?: number | NestedRow<CategoriesCreate, CategoriesChange, number> | null
  categories?: NestedRows<CategoriesCreate, CategoriesChange, number> | null
  product_categories?: NestedRows<ProductCategoriesCreate, ProductCategoriesChange, string> | null
  products?: NestedRows<ProductsCreate, ProductsChange, number> | null
}

export interface CategoriesUpdate {
  name?: string
  slug?: string
  parent?: number | NestedRow<CategoriesCreate, CategoriesChange, number> | null
  categories?: NestedRows<CategoriesCreate, CategoriesChange, number> | null
  product_categories?: NestedRows<ProductCategoriesCreate, ProductCategoriesChange, string> | null
  products?: NestedRows<ProductsCreate, ProductsChange, number> | null
}

export interface CategoriesChange extends CategoriesUpdate {
  id: number
}

export interface CategoriesFilter extends Conditions<CategoriesFilter>, ListFunctions<'categories' | 'product_categories' | 'products'> {
  id?: IntegerFilter
  name?: StringFilter
  slug?: StringFilter
  parent?: IntegerFilter | CategoriesFilter
  categories?: IntegerFilter | CategoriesFilter | Quantified<CategoriesFilter>
  product_categories?: PresenceFilter | ProductCategoriesFilter | Quantified<ProductCategoriesFilter>
  products?: IntegerFilter | ProductsFilter | Quantified<ProductsFilter>
}

export interface Customers {
  id: number
  first_name: string
  last_name: string
  email: string
  newsletter: boolean
  created_at: Timestamp
  addresses: number[] | Addresses[]
  orders: number[] | Orders[]
  reviews: number[] | Reviews[]
}

export interface CustomersCreate {
  id?: number
  first_name: string
  last_name: string
  email: string
  newsletter?: boolean
  created_at: Timestamp
  addresses?: NestedRows<AddressesCreate, AddressesChange, number> | null
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
  reviews?: NestedRows<ReviewsCreate, ReviewsChange, number> | null
}

export interface CustomersUpdate {
  first_name?: string
  last_name?: string
  email?: string
  newsletter?: boolean
  created_at?: Timestamp
  addresses?: NestedRows<AddressesCreate, AddressesChange, number> | null
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
  reviews?: NestedRows<ReviewsCreate, ReviewsChange, number> | null
}

export interface CustomersChange extends CustomersUpdate {
  id: number
}

export interface CustomersFilter extends Conditions<CustomersFilter>, TimestampFunctions<'created_at'>, ListFunctions<'addresses' | 'orders' | 'reviews'> {
  id?: IntegerFilter
  first_name?: StringFilter
  last_name?: StringFilter
  email?: StringFilter
  newsletter?: BooleanFilter
  created_at?: TimestampFilter
  addresses?: IntegerFilter | AddressesFilter | Quantified<AddressesFilter>
  orders?: IntegerFilter | OrdersFilter | Quantified<OrdersFilter>
  reviews?: IntegerFilter | ReviewsFilter | Quantified<ReviewsFilter>
}

export interface Employees {
  id: number
  first_name: string
  last_name: string
  job: string
  manager: number | Employees | null
  hired_on: DateOnly
  employees: number[] | Employees[]
  orders: number[] | Orders[]
}

export interface EmployeesCreate {
  id?: number
  first_name: string
  last_name: string
  job: string
  manager?: number | NestedRow<EmployeesCreate, EmployeesChange, number> | null
  hired_on: DateOnly
  employees?: NestedRows<EmployeesCreate, EmployeesChange, number> | null
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
}

export interface EmployeesUpdate {
  first_name?: string
  last_name?: string
  job?: string
  manager?: number | NestedRow<EmployeesCreate, EmployeesChange, number> | null
  hired_on?: DateOnly
  employees?: NestedRows<EmployeesCreate, EmployeesChange, number> | null
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
}

export interface EmployeesChange extends EmployeesUpdate {
  id: number
}

export interface EmployeesFilter extends Conditions<EmployeesFilter>, DateFunctions<'hired_on'>, ListFunctions<'employees' | 'orders'> {
  id?: IntegerFilter
  first_name?: StringFilter
  last_name?: StringFilter
  job?: StringFilter
  manager?: IntegerFilter | EmployeesFilter
  hired_on?: DateFilter
  employees?: IntegerFilter | EmployeesFilter | Quantified<EmployeesFilter>
  orders?: IntegerFilter | OrdersFilter | Quantified<OrdersFilter>
}

export interface OrderItems {
  order_id: number | Orders
  line: number
  product: number | Products
  quantity: number
  unit_price: Decimal
}

export interface OrderItemsCreate {
  order_id: number | NestedRow<OrdersCreate, OrdersChange, number>
  line: number
  product: number | NestedRow<ProductsCreate, ProductsChange, number>
  quantity: number
  unit_price: Decimal | number
}

export interface OrderItemsUpdate {
  product?: number | NestedRow<ProductsCreate, ProductsChange, number>
  quantity?: number
  unit_price?: Decimal | number
}

export interface OrderItemsChange extends OrderItemsUpdate {
  order_id: number
  line: number
}

export interface OrderItemsFilter extends Conditions<OrderItemsFilter> {
  order_id?: IntegerFilter | OrdersFilter
  line?: IntegerFilter
  product?: IntegerFilter | ProductsFilter
  quantity?: IntegerFilter
  unit_price?: DecimalFilter
}

export interface OrderTotals {
  id: number | null
  customer: number | null
  status: string | null
  items: number | null
  total: Json | null
}

export interface OrderTotalsFilter extends Conditions<OrderTotalsFilter> {
  id?: IntegerFilter
  customer?: IntegerFilter
  status?: StringFilter
  items?: IntegerFilter
  total?: UnknownFilter
}

export interface Orders {
  id: number
  customer: number | Customers
  shipping_address: number | Addresses | null
  handled_by: number | Employees | null
  status: string
  ordered_at: Timestamp
  note: string | null
  order_items: string[] | OrderItems[]
}

export interface OrdersCreate {
  id?: number
  customer: number | NestedRow<CustomersCreate, CustomersChange, number>
  shipping_address?: number | NestedRow<AddressesCreate, AddressesChange, number> | null
  handled_by?: number | NestedRow<EmployeesCreate, EmployeesChange, number> | null
  status?: string
  ordered_at: Timestamp
  note?: string | null
  order_items?: NestedRows<OrderItemsCreate, OrderItemsChange, string> | null
}

export interface OrdersUpdate {
  customer?: number | NestedRow<CustomersCreate, CustomersChange, number>
  shipping_address?: number | NestedRow<AddressesCreate, AddressesChange, number> | null
  handled_by?: number | NestedRow<EmployeesCreate, EmployeesChange, number> | null
  status?: string
  ordered_at?: Timestamp
  note?: string | null
  order_items?: NestedRows<OrderItemsCreate, OrderItemsChange, string> | null
}

export interface OrdersChange extends OrdersUpdate {
  id: number
}

export interface OrdersFilter extends Conditions<OrdersFilter>, TimestampFunctions<'ordered_at'>, ListFunctions<'order_items'> {
  id?: IntegerFilter
  customer?: IntegerFilter | CustomersFilter
  shipping_address?: IntegerFilter | AddressesFilter
  handled_by?: IntegerFilter | EmployeesFilter
  status?: StringFilter
  ordered_at?: TimestampFilter
  note?: StringFilter
  order_items?: PresenceFilter | OrderItemsFilter | Quantified<OrderItemsFilter>
}

export interface Pages {
  id: number
  title: string
  slug: string
  status: string
  blocks: number[] | PagesBlocks[]
}

export interface PagesCreate {
  id?: number
  title: string
  slug: string
  status?: string
  blocks?: NestedRows<PagesBlocksCreate, PagesBlocksChange, number> | null
}

export interface PagesUpdate {
  title?: string
  slug?: string
  status?: string
  blocks?: NestedRows<PagesBlocksCreate, PagesBlocksChange, number> | null
}

export interface PagesChange extends PagesUpdate {
  id: number
}

export interface PagesFilter extends Conditions<PagesFilter>, ListFunctions<'blocks'> {
  id?: IntegerFilter
  title?: StringFilter
  slug?: StringFilter
  status?: StringFilter
  blocks?: IntegerFilter | PagesBlocksFilter | Quantified<PagesBlocksFilter>
}

export interface PagesBlocks {
  id: number
  page: number | Pages
  collection: string
  item: string | BlockText | BlockGallery | BlockQuote | null
  sort: number | null
}

export interface PagesBlocksCreate {
  id?: number
  page: number | NestedRow<PagesCreate, PagesChange, number>
  collection: string
  item: string | NestedRow<BlockTextCreate, BlockTextChange, number> | NestedRow<BlockGalleryCreate, BlockGalleryChange, number> | NestedRow<BlockQuoteCreate, BlockQuoteChange, number>
  sort?: number | null
}

export interface PagesBlocksUpdate {
  page?: number | NestedRow<PagesCreate, PagesChange, number>
  collection?: string
  item?: string | NestedRow<BlockTextCreate, BlockTextChange, number> | NestedRow<BlockGalleryCreate, BlockGalleryChange, number> | NestedRow<BlockQuoteCreate, BlockQuoteChange, number>
  sort?: number | null
}

export interface PagesBlocksChange extends PagesBlocksUpdate {
  id: number
}

export interface PagesBlocksFilter extends Conditions<PagesBlocksFilter> {
  id?: IntegerFilter
  page?: IntegerFilter | PagesFilter
  collection?: StringFilter
  item?: StringFilter
  'item:block_text'?: BlockTextFilter
  'item:block_gallery'?: BlockGalleryFilter
  'item:block_quote'?: BlockQuoteFilter
  sort?: IntegerFilter
}

export interface ProductCategories {
  product: number | Products
  category: number | Categories
}

export interface ProductCategoriesCreate {
  product: number | NestedRow<ProductsCreate, ProductsChange, number>
  category: number | NestedRow<CategoriesCreate, CategoriesChange, number>
}

export interface ProductCategoriesUpdate {}

export interface ProductCategoriesChange extends ProductCategoriesUpdate {
  product: number
  category: number
}

export interface ProductCategoriesFilter extends Conditions<ProductCategoriesFilter> {
  product?: IntegerFilter | ProductsFilter
  category?: IntegerFilter | CategoriesFilter
}

export interface Products {
  id: number
  sku: string
  name: string
  description: string | null
  price: Decimal
  stock: number
  is_active: boolean
  supplier: number | Suppliers | null
  tags: Json | null
  order_items: string[] | OrderItems[]
  product_categories: string[] | ProductCategories[]
  reviews: number[] | Reviews[]
  categories: number[] | Categories[]
}

export interface ProductsCreate {
  id?: number
  sku: string
  name: string
  description?: string | null
  price: Decimal | number
  stock?: number
  is_active?: boolean
  supplier?: number | NestedRow<SuppliersCreate, SuppliersChange, number> | null
  tags?: unknown
  order_items?: NestedRows<OrderItemsCreate, OrderItemsChange, string> | null
  product_categories?: NestedRows<ProductCategoriesCreate, ProductCategoriesChange, string> | null
  reviews?: NestedRows<ReviewsCreate, ReviewsChange, number> | null
  categories?: NestedRows<CategoriesCreate, CategoriesChange, number> | null
}

export interface ProductsUpdate {
  sku?: string
  name?: string
  description?: string | null
  price?: Decimal | number
  stock?: number
  is_active?: boolean
  supplier?: number | NestedRow<SuppliersCreate, SuppliersChange, number> | null
  tags?: unknown
  order_items?: NestedRows<OrderItemsCreate, OrderItemsChange, string> | null
  product_categories?: NestedRows<ProductCategoriesCreate, ProductCategoriesChange, string> | null
  reviews?: NestedRows<ReviewsCreate, ReviewsChange, number> | null
  categories?: NestedRows<CategoriesCreate, CategoriesChange, number> | null
}

export interface ProductsChange extends ProductsUpdate {
  id: number
}

export interface ProductsFilter extends Conditions<ProductsFilter>, JsonFunctions<'tags'>, ListFunctions<'order_items' | 'product_categories' | 'reviews' | 'categories'> {
  id?: IntegerFilter
  sku?: StringFilter
  name?: StringFilter
  description?: StringFilter
  price?: DecimalFilter
  stock?: IntegerFilter
  is_active?: BooleanFilter
  supplier?: IntegerFilter | SuppliersFilter
  tags?: JsonFilter
  order_items?: PresenceFilter | OrderItemsFilter | Quantified<OrderItemsFilter>
  product_categories?: PresenceFilter | ProductCategoriesFilter | Quantified<ProductCategoriesFilter>
  reviews?: IntegerFilter | ReviewsFilter | Quantified<ReviewsFilter>
  categories?: IntegerFilter | CategoriesFilter | Quantified<CategoriesFilter>
}

export interface Reviews {
  id: number
  product: number | Products
  customer: number | Customers | null
  rating: number
  body: string | null
  created_at: Timestamp
}

export interface ReviewsCreate {
  id?: number
  product: number | NestedRow<ProductsCreate, ProductsChange, number>
  customer?: number | NestedRow<CustomersCreate, CustomersChange, number> | null
  rating: number
  body?: string | null
  created_at: Timestamp
}

export interface ReviewsUpdate {
  product?: number | NestedRow<ProductsCreate, ProductsChange, number>
  customer?: number | NestedRow<CustomersCreate, CustomersChange, number> | null
  rating?: number
  body?: string | null
  created_at?: Timestamp
}

export interface ReviewsChange extends ReviewsUpdate {
  id: number
}

export interface ReviewsFilter extends Conditions<ReviewsFilter>, TimestampFunctions<'created_at'> {
  id?: IntegerFilter
  product?: IntegerFilter | ProductsFilter
  customer?: IntegerFilter | CustomersFilter
  rating?: IntegerFilter
  body?: StringFilter
  created_at?: TimestampFilter
}

/** Which policy is attached to which role or user; to the public where both are empty. */
export interface ServiceAccess {
  id: Uuid
  role: Uuid | ServiceRoles | null
  user: Uuid | ServiceUsers | null
  policy: Uuid | ServicePolicies
  sort: number | null
}

export interface ServiceAccessCreate {
  id?: Uuid
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  policy: Uuid | NestedRow<ServicePoliciesCreate, ServicePoliciesChange, Uuid>
  sort?: number | null
}

export interface ServiceAccessUpdate {
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  policy?: Uuid | NestedRow<ServicePoliciesCreate, ServicePoliciesChange, Uuid>
  sort?: number | null
}

export interface ServiceAccessChange extends ServiceAccessUpdate {
  id: Uuid
}

export interface ServiceAccessFilter extends Conditions<ServiceAccessFilter> {
  id?: UuidFilter
  role?: UuidFilter | ServiceRolesFilter
  user?: UuidFilter | ServiceUsersFilter
  policy?: UuidFilter | ServicePoliciesFilter
  sort?: IntegerFilter
}

/** Who did what to which item, and when. */
export interface ServiceActivity {
  id: number
  action: string
  user: Uuid | ServiceUsers | null
  timestamp: Timestamp
  ip: string | null
  user_agent: string | null
  origin: string | null
  collection: string
  item: string
  revisions: number[] | ServiceRevisions[]
}

export interface ServiceActivityChange {
  id: number
}

export interface ServiceActivityFilter extends Conditions<ServiceActivityFilter>, TimestampFunctions<'timestamp'>, ListFunctions<'revisions'> {
  id?: IntegerFilter
  action?: StringFilter
  user?: UuidFilter | ServiceUsersFilter
  timestamp?: TimestampFilter
  ip?: StringFilter
  user_agent?: StringFilter
  origin?: StringFilter
  collection?: StringFilter
  item?: StringFilter
  revisions?: IntegerFilter | ServiceRevisionsFilter | Quantified<ServiceRevisionsFilter>
}

/** What people say about items. */
export interface ServiceComments {
  id: Uuid
  collection: string
  item: string
  comment: string
  date_created: Timestamp | null
  date_updated: Timestamp | null
  user_created: Uuid | ServiceUsers | null
  user_updated: Uuid | ServiceUsers | null
}

export interface ServiceCommentsCreate {
  id?: Uuid
  collection: string
  item: string
  comment: string
  date_created?: Timestamp | null
  date_updated?: Timestamp | null
  user_created?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  user_updated?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceCommentsUpdate {
  collection?: string
  item?: string
  comment?: string
  date_created?: Timestamp | null
  date_updated?: Timestamp | null
  user_created?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  user_updated?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceCommentsChange extends ServiceCommentsUpdate {
  id: Uuid
}

export interface ServiceCommentsFilter extends Conditions<ServiceCommentsFilter>, TimestampFunctions<'date_created' | 'date_updated'> {
  id?: UuidFilter
  collection?: StringFilter
  item?: StringFilter
  comment?: StringFilter
  date_created?: TimestampFilter
  date_updated?: TimestampFilter
  user_created?: UuidFilter | ServiceUsersFilter
  user_updated?: UuidFilter | ServiceUsersFilter
}

/** Where files are kept. */
export interface ServiceFolders {
  id: Uuid
  name: string
  parent: Uuid | ServiceFolders | null
  service_folders: Uuid[] | ServiceFolders[]
  service_settings: number[] | ServiceSettings[]
}

export interface ServiceFoldersCreate {
  id?: Uuid
  name: string
  parent?: Uuid | NestedRow<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  service_folders?: NestedRows<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  service_settings?: NestedRows<never, ServiceSettingsChange, number> | null
}

export interface ServiceFoldersUpdate {
  name?: string
  parent?: Uuid | NestedRow<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  service_folders?: NestedRows<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  service_settings?: NestedRows<never, ServiceSettingsChange, number> | null
}

export interface ServiceFoldersChange extends ServiceFoldersUpdate {
  id: Uuid
}

export interface ServiceFoldersFilter extends Conditions<ServiceFoldersFilter>, ListFunctions<'service_folders' | 'service_settings'> {
  id?: UuidFilter
  name?: StringFilter
  parent?: UuidFilter | ServiceFoldersFilter
  service_folders?: UuidFilter | ServiceFoldersFilter | Quantified<ServiceFoldersFilter>
  service_settings?: IntegerFilter | ServiceSettingsFilter | Quantified<ServiceSettingsFilter>
}

/** Messages to users. */
export interface ServiceNotifications {
  id: number
  timestamp: Timestamp | null
  status: string | null
  recipient: Uuid | ServiceUsers
  sender: Uuid | ServiceUsers | null
  subject: string
  message: string | null
  collection: string | null
  item: string | null
}

export interface ServiceNotificationsCreate {
  id?: number
  timestamp?: Timestamp | null
  status?: string | null
  recipient: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid>
  sender?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  subject: string
  message?: string | null
  collection?: string | null
  item?: string | null
}

export interface ServiceNotificationsUpdate {
  timestamp?: Timestamp | null
  status?: string | null
  recipient?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid>
  sender?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  subject?: string
  message?: string | null
  collection?: string | null
  item?: string | null
}

export interface ServiceNotificationsChange extends ServiceNotificationsUpdate {
  id: number
}

export interface ServiceNotificationsFilter extends Conditions<ServiceNotificationsFilter>, TimestampFunctions<'timestamp'> {
  id?: IntegerFilter
  timestamp?: TimestampFilter
  status?: StringFilter
  recipient?: UuidFilter | ServiceUsersFilter
  sender?: UuidFilter | ServiceUsersFilter
  subject?: StringFilter
  message?: StringFilter
  collection?: StringFilter
  item?: StringFilter
}

/** What a policy allows: an action on a collection, for some rows and fields. */
export interface ServicePermissions {
  id: number | null
  policy: Uuid | ServicePolicies | null
  collection: string | null
  action: string | null
  permissions: Json | null
  validation: Json | null
  presets: Json | null
  fields: Json | null
}

export interface ServicePermissionsCreate {
  id?: number
  policy: Uuid | NestedRow<ServicePoliciesCreate, ServicePoliciesChange, Uuid>
  collection: string
  action: string
  permissions?: unknown
  validation?: unknown
  presets?: unknown
  fields?: unknown
}

export interface ServicePermissionsUpdate {
  policy?: Uuid | NestedRow<ServicePoliciesCreate, ServicePoliciesChange, Uuid>
  collection?: string
  action?: string
  permissions?: unknown
  validation?: unknown
  presets?: unknown
  fields?: unknown
}

export interface ServicePermissionsChange extends ServicePermissionsUpdate {
  id: number
}

export interface ServicePermissionsFilter extends Conditions<ServicePermissionsFilter>, JsonFunctions<'permissions' | 'validation' | 'presets' | 'fields'> {
  id?: IntegerFilter
  policy?: UuidFilter | ServicePoliciesFilter
  collection?: StringFilter
  action?: StringFilter
  permissions?: JsonFilter
  validation?: JsonFilter
  presets?: JsonFilter
  fields?: JsonFilter
}

/** Sets of permissions that are attached to roles, to users or to the public. */
export interface ServicePolicies {
  id: Uuid
  name: string
  icon: string
  description: string | null
  ip_access: Json | null
  enforce_tfa: boolean
  admin_access: boolean
  app_access: boolean
  roles: Uuid[] | ServiceAccess[]
  users: Uuid[] | ServiceAccess[]
  permissions: number[] | ServicePermissions[]
}

export interface ServicePoliciesCreate {
  id?: Uuid
  name: string
  icon?: string
  description?: string | null
  ip_access?: unknown
  enforce_tfa?: boolean
  admin_access?: boolean
  app_access?: boolean
  roles?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  users?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  permissions?: NestedRows<ServicePermissionsCreate, ServicePermissionsChange, number> | null
}

export interface ServicePoliciesUpdate {
  name?: string
  icon?: string
  description?: string | null
  ip_access?: unknown
  enforce_tfa?: boolean
  admin_access?: boolean
  app_access?: boolean
  roles?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  users?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  permissions?: NestedRows<ServicePermissionsCreate, ServicePermissionsChange, number> | null
}

export interface ServicePoliciesChange extends ServicePoliciesUpdate {
  id: Uuid
}

export interface ServicePoliciesFilter extends Conditions<ServicePoliciesFilter>, JsonFunctions<'ip_access'>, ListFunctions<'roles' | 'users' | 'permissions'> {
  id?: UuidFilter
  name?: StringFilter
  icon?: StringFilter
  description?: StringFilter
  ip_access?: JsonFilter
  enforce_tfa?: BooleanFilter
  admin_access?: BooleanFilter
  app_access?: BooleanFilter
  roles?: UuidFilter | ServiceAccessFilter | Quantified<ServiceAccessFilter>
  users?: UuidFilter | ServiceAccessFilter | Quantified<ServiceAccessFilter>
  permissions?: IntegerFilter | ServicePermissionsFilter | Quantified<ServicePermissionsFilter>
}

/** How people like to see their lists, and their bookmarks. */
export interface ServicePresets {
  id: number
  bookmark: string | null
  user: Uuid | ServiceUsers | null
  role: Uuid | ServiceRoles | null
  collection: string | null
  search: string | null
  layout: string | null
  layout_query: Json | null
  layout_options: Json | null
  refresh_interval: number | null
  filter: Json | null
  icon: string | null
  color: string | null
}

export interface ServicePresetsCreate {
  id?: number
  bookmark?: string | null
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  collection?: string | null
  search?: string | null
  layout?: string | null
  layout_query?: unknown
  layout_options?: unknown
  refresh_interval?: number | null
  filter?: unknown
  icon?: string | null
  color?: string | null
}

export interface ServicePresetsUpdate {
  bookmark?: string | null
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  collection?: string | null
  search?: string | null
  layout?: string | null
  layout_query?: unknown
  layout_options?: unknown
  refresh_interval?: number | null
  filter?: unknown
  icon?: string | null
  color?: string | null
}

export interface ServicePresetsChange extends ServicePresetsUpdate {
  id: number
}

export interface ServicePresetsFilter extends Conditions<ServicePresetsFilter>, JsonFunctions<'layout_query' | 'layout_options' | 'filter'> {
  id?: IntegerFilter
  bookmark?: StringFilter
  user?: UuidFilter | ServiceUsersFilter
  role?: UuidFilter | ServiceRolesFilter
  collection?: StringFilter
  search?: StringFilter
  layout?: StringFilter
  layout_query?: JsonFilter
  layout_options?: JsonFilter
  refresh_interval?: IntegerFilter
  filter?: JsonFilter
  icon?: StringFilter
  color?: StringFilter
}

/** Items as they were after each change. */
export interface ServiceRevisions {
  id: number
  activity: number | ServiceActivity
  collection: string
  item: string
  data: Json | null
  delta: Json | null
  parent: number | null
  version: string | null
}

export interface ServiceRevisionsChange {
  id: number
}

export interface ServiceRevisionsFilter extends Conditions<ServiceRevisionsFilter>, JsonFunctions<'data' | 'delta'> {
  id?: IntegerFilter
  activity?: IntegerFilter | ServiceActivityFilter
  collection?: StringFilter
  item?: StringFilter
  data?: JsonFilter
  delta?: JsonFilter
  parent?: IntegerFilter
  version?: StringFilter
}

/** Groups of users; policies are attached to them, and a role inherits those of its parents. */
export interface ServiceRoles {
  id: Uuid
  name: string
  icon: string
  description: string | null
  parent: Uuid | ServiceRoles | null
  children: Uuid[] | ServiceRoles[]
  users: Uuid[] | ServiceUsers[]
  policies: Uuid[] | ServiceAccess[]
  service_settings: number[] | ServiceSettings[]
  service_presets: number[] | ServicePresets[]
}

export interface ServiceRolesCreate {
  id?: Uuid
  name: string
  icon?: string
  description?: string | null
  parent?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  children?: NestedRows<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  users?: NestedRows<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  policies?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  service_settings?: NestedRows<never, ServiceSettingsChange, number> | null
  service_presets?: NestedRows<ServicePresetsCreate, ServicePresetsChange, number> | null
}

export interface ServiceRolesUpdate {
  name?: string
  icon?: string
  description?: string | null
  parent?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  children?: NestedRows<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  users?: NestedRows<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  policies?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  service_settings?: NestedRows<never, ServiceSettingsChange, number> | null
  service_presets?: NestedRows<ServicePresetsCreate, ServicePresetsChange, number> | null
}

export interface ServiceRolesChange extends ServiceRolesUpdate {
  id: Uuid
}

export interface ServiceRolesFilter extends Conditions<ServiceRolesFilter>, ListFunctions<'children' | 'users' | 'policies' | 'service_settings' | 'service_presets'> {
  id?: UuidFilter
  name?: StringFilter
  icon?: StringFilter
  description?: StringFilter
  parent?: UuidFilter | ServiceRolesFilter
  children?: UuidFilter | ServiceRolesFilter | Quantified<ServiceRolesFilter>
  users?: UuidFilter | ServiceUsersFilter | Quantified<ServiceUsersFilter>
  policies?: UuidFilter | ServiceAccessFilter | Quantified<ServiceAccessFilter>
  service_settings?: IntegerFilter | ServiceSettingsFilter | Quantified<ServiceSettingsFilter>
  service_presets?: IntegerFilter | ServicePresetsFilter | Quantified<ServicePresetsFilter>
}

/** Settings of the project. */
export interface ServiceSettings {
  id: number | null
  project_name: string | null
  project_descriptor: string | null
  project_url: string | null
  project_color: string | null
  project_logo: Uuid | null
  public_foreground: Uuid | null
  public_background: Uuid | null
  public_favicon: Uuid | null
  public_note: string | null
  default_language: string | null
  default_appearance: string | null
  default_theme_light: string | null
  default_theme_dark: string | null
  theme_light_overrides: Json | null
  theme_dark_overrides: Json | null
  custom_css: string | null
  module_bar: Json | null
  auth_login_attempts: number | null
  auth_password_policy: string | null
  public_registration: boolean | null
  public_registration_verify_email: boolean | null
  public_registration_role: Uuid | ServiceRoles | null
  public_registration_email_filter: Json | null
  storage_asset_transform: string | null
  storage_asset_presets: Json | null
  storage_default_folder: Uuid | ServiceFolders | null
  basemaps: Json | null
  mapbox_key: string | null
  custom_aspect_ratios: Json | null
  report_error_url: string | null
  report_bug_url: string | null
  report_feature_url: string | null
  visual_editor_urls: Json | null
  default_save_action: string | null
}

export interface ServiceSettingsUpdate {
  project_name?: string
  project_descriptor?: string | null
  project_url?: string | null
  project_color?: string
  project_logo?: Uuid | null
  public_foreground?: Uuid | null
  public_background?: Uuid | null
  public_favicon?: Uuid | null
  public_note?: string | null
  default_language?: string
  default_appearance?: string
  default_theme_light?: string | null
  default_theme_dark?: string | null
  theme_light_overrides?: unknown
  theme_dark_overrides?: unknown
  custom_css?: string | null
  module_bar?: unknown
  auth_login_attempts?: number | null
  auth_password_policy?: string | null
  public_registration?: boolean
  public_registration_verify_email?: boolean
  public_registration_role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  public_registration_email_filter?: unknown
  storage_asset_transform?: string
  storage_asset_presets?: unknown
  storage_default_folder?: Uuid | NestedRow<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  basemaps?: unknown
  mapbox_key?: string | null
  custom_aspect_ratios?: unknown
  report_error_url?: string | null
  report_bug_url?: string | null
  report_feature_url?: string | null
  visual_editor_urls?: unknown
  default_save_action?: string | null
}

export interface ServiceSettingsChange extends ServiceSettingsUpdate {
  id: number
}

export interface ServiceSettingsFilter extends Conditions<ServiceSettingsFilter>, JsonFunctions<'theme_light_overrides' | 'theme_dark_overrides' | 'module_bar' | 'public_registration_email_filter' | 'storage_asset_presets' | 'basemaps' | 'custom_aspect_ratios' | 'visual_editor_urls'> {
  id?: IntegerFilter
  project_name?: StringFilter
  project_descriptor?: StringFilter
  project_url?: StringFilter
  project_color?: StringFilter
  project_logo?: UuidFilter
  public_foreground?: UuidFilter
  public_background?: UuidFilter
  public_favicon?: UuidFilter
  public_note?: StringFilter
  default_language?: StringFilter
  default_appearance?: StringFilter
  default_theme_light?: StringFilter
  default_theme_dark?: StringFilter
  theme_light_overrides?: JsonFilter
  theme_dark_overrides?: JsonFilter
  custom_css?: StringFilter
  module_bar?: JsonFilter
  auth_login_attempts?: IntegerFilter
  auth_password_policy?: StringFilter
  public_registration?: BooleanFilter
  public_registration_verify_email?: BooleanFilter
  public_registration_role?: UuidFilter | ServiceRolesFilter
  public_registration_email_filter?: JsonFilter
  storage_asset_transform?: StringFilter
  storage_asset_presets?: JsonFilter
  storage_default_folder?: UuidFilter | ServiceFoldersFilter
  basemaps?: JsonFilter
  mapbox_key?: StringFilter
  custom_aspect_ratios?: JsonFilter
  report_error_url?: StringFilter
  report_bug_url?: StringFilter
  report_feature_url?: StringFilter
  visual_editor_urls?: JsonFilter
  default_save_action?: StringFilter
}

/** Texts in several languages. */
export interface ServiceTranslations {
  id: Uuid
  language: string
  key: string
  value: string
}

export interface ServiceTranslationsCreate {
  id?: Uuid
  language: string
  key: string
  value: string
}

export interface ServiceTranslationsUpdate {
  language?: string
  key?: string
  value?: string
}

export interface ServiceTranslationsChange extends ServiceTranslationsUpdate {
  id: Uuid
}

export interface ServiceTranslationsFilter extends Conditions<ServiceTranslationsFilter> {
  id?: UuidFilter
  language?: StringFilter
  key?: StringFilter
  value?: StringFilter
}

/** People and programs that sign in. */
export interface ServiceUsers {
  id: Uuid
  first_name: string | null
  last_name: string | null
  email: string | null
  password: string | null
  location: string | null
  title: string | null
  description: string | null
  tags: Json | null
  avatar: Uuid | null
  language: string | null
  text_direction: string
  tfa_secret: string | null
  status: string
  role: Uuid | ServiceRoles | null
  token: string | null
  last_access: Timestamp | null
  last_page: string | null
  provider: string
  external_identifier: string | null
  auth_data: string | null
  email_notifications: boolean
  appearance: string | null
  theme_light: string | null
  theme_dark: string | null
  theme_light_overrides: Json | null
  theme_dark_overrides: Json | null
  policies: Uuid[] | ServiceAccess[]
  service_presets: number[] | ServicePresets[]
  service_notifications_by_recipient: number[] | ServiceNotifications[]
  service_notifications_by_sender: number[] | ServiceNotifications[]
  service_comments_by_user_created: Uuid[] | ServiceComments[]
  service_comments_by_user_updated: Uuid[] | ServiceComments[]
}

export interface ServiceUsersCreate {
  id?: Uuid
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  password?: string | null
  location?: string | null
  title?: string | null
  description?: string | null
  tags?: unknown
  avatar?: Uuid | null
  language?: string | null
  text_direction?: string
  tfa_secret?: string | null
  status?: string
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  token?: string | null
  last_access?: Timestamp | null
  last_page?: string | null
  provider?: string
  external_identifier?: string | null
  auth_data?: string | null
  email_notifications?: boolean
  appearance?: string | null
  theme_light?: string | null
  theme_dark?: string | null
  theme_light_overrides?: unknown
  theme_dark_overrides?: unknown
  policies?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  service_sessions?: never | null
  service_presets?: NestedRows<ServicePresetsCreate, ServicePresetsChange, number> | null
  service_notifications_by_recipient?: NestedRows<ServiceNotificationsCreate, ServiceNotificationsChange, number> | null
  service_notifications_by_sender?: NestedRows<ServiceNotificationsCreate, ServiceNotificationsChange, number> | null
  service_comments_by_user_created?: NestedRows<ServiceCommentsCreate, ServiceCommentsChange, Uuid> | null
  service_comments_by_user_updated?: NestedRows<ServiceCommentsCreate, ServiceCommentsChange, Uuid> | null
}

export interface ServiceUsersUpdate {
  first_name?: string | null
  last_name?: string | null
  email?: string | null
  password?: string | null
  location?: string | null
  title?: string | null
  description?: string | null
  tags?: unknown
  avatar?: Uuid | null
  language?: string | null
  text_direction?: string
  tfa_secret?: string | null
  status?: string
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  token?: string | null
  last_access?: Timestamp | null
  last_page?: string | null
  provider?: string
  external_identifier?: string | null
  auth_data?: string | null
  email_notifications?: boolean
  appearance?: string | null
  theme_light?: string | null
  theme_dark?: string | null
  theme_light_overrides?: unknown
  theme_dark_overrides?: unknown
  policies?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  service_sessions?: never | null
  service_presets?: NestedRows<ServicePresetsCreate, ServicePresetsChange, number> | null
  service_notifications_by_recipient?: NestedRows<ServiceNotificationsCreate, ServiceNotificationsChange, number> | null
  service_notifications_by_sender?: NestedRows<ServiceNotificationsCreate, ServiceNotificationsChange, number> | null
  service_comments_by_user_created?: NestedRows<ServiceCommentsCreate, ServiceCommentsChange, Uuid> | null
  service_comments_by_user_updated?: NestedRows<ServiceCommentsCreate, ServiceCommentsChange, Uuid> | null
}

export interface ServiceUsersChange extends ServiceUsersUpdate {
  id: Uuid
}

export interface ServiceUsersFilter extends Conditions<ServiceUsersFilter>, TimestampFunctions<'last_access'>, JsonFunctions<'tags' | 'theme_light_overrides' | 'theme_dark_overrides'>, ListFunctions<'policies' | 'service_presets' | 'service_notifications_by_recipient' | 'service_notifications_by_sender' | 'service_comments_by_user_created' | 'service_comments_by_user_updated'> {
  id?: UuidFilter
  first_name?: StringFilter
  last_name?: StringFilter
  email?: StringFilter
  password?: HashFilter
  location?: StringFilter
  title?: StringFilter
  description?: StringFilter
  tags?: JsonFilter
  avatar?: UuidFilter
  language?: StringFilter
  text_direction?: StringFilter
  tfa_secret?: HashFilter
  status?: StringFilter
  role?: UuidFilter | ServiceRolesFilter
  token?: HashFilter
  last_access?: TimestampFilter
  last_page?: StringFilter
  provider?: StringFilter
  external_identifier?: StringFilter
  auth_data?: HashFilter
  email_notifications?: BooleanFilter
  appearance?: StringFilter
  theme_light?: StringFilter
  theme_dark?: StringFilter
  theme_light_overrides?: JsonFilter
  theme_dark_overrides?: JsonFilter
  policies?: UuidFilter | ServiceAccessFilter | Quantified<ServiceAccessFilter>
  service_presets?: IntegerFilter | ServicePresetsFilter | Quantified<ServicePresetsFilter>
  service_notifications_by_recipient?: IntegerFilter | ServiceNotificationsFilter | Quantified<ServiceNotificationsFilter>
  service_notifications_by_sender?: IntegerFilter | ServiceNotificationsFilter | Quantified<ServiceNotificationsFilter>
  service_comments_by_user_created?: UuidFilter | ServiceCommentsFilter | Quantified<ServiceCommentsFilter>
  service_comments_by_user_updated?: UuidFilter | ServiceCommentsFilter | Quantified<ServiceCommentsFilter>
}

export interface Suppliers {
  id: number
  name: string
  city: string
  country: string
  products: number[] | Products[]
}

export interface SuppliersCreate {
  id?: number
  name: string
  city: string
  country: string
  products?: NestedRows<ProductsCreate, ProductsChange, number> | null
}

export interface SuppliersUpdate {
  name?: string
  city?: string
  country?: string
  products?: NestedRows<ProductsCreate, ProductsChange, number> | null
}

export interface SuppliersChange extends SuppliersUpdate {
  id: number
}

export interface SuppliersFilter extends Conditions<SuppliersFilter>, ListFunctions<'products'> {
  id?: IntegerFilter
  name?: StringFilter
  city?: StringFilter
  country?: StringFilter
  products?: IntegerFilter | ProductsFilter | Quantified<ProductsFilter>
}

/** Collections by name. A key of several columns is one text. */
export interface Schema {
  addresses: {
    row: Addresses
    key: number
    create: AddressesCreate
    update: AddressesUpdate
    filter: AddressesFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; customer: 'integer'; kind: 'string'; street: 'string'; postcode: 'string'; city: 'string'; country: 'string' }
    relations: { customer: { one: 'customers' }; orders: { many: 'orders' } }
    inferred: 'orders'
  }
  block_gallery: {
    row: BlockGallery
    key: number
    create: BlockGalleryCreate
    update: BlockGalleryUpdate
    filter: BlockGalleryFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; title: 'string'; pictures: 'json' }
    relations: object
    inferred: never
  }
  block_quote: {
    row: BlockQuote
    key: number
    create: BlockQuoteCreate
    update: BlockQuoteUpdate
    filter: BlockQuoteFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; quote: 'text'; author: 'string' }
    relations: object
    inferred: never
  }
  block_text: {
    row: BlockText
    key: number
    create: BlockTextCreate
    update: BlockTextUpdate
    filter: BlockTextFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; body: 'text' }
    relations: object
    inferred: never
  }
  categories: {
    row: Categories
    key: number
    create: CategoriesCreate
    update: CategoriesUpdate
    filter: CategoriesFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; name: 'string'; slug: 'string'; parent: 'integer' }
    relations: { parent: { one: 'categories' }; categories: { many: 'categories' }; product_categories: { many: 'product_categories' }; products: { many: 'products' } }
    inferred: 'categories' | 'product_categories' | 'products'
  }
  customers: {
    row: Customers
    key: number
    create: CustomersCreate
    update: CustomersUpdate
    filter: CustomersFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; first_name: 'string'; last_name: 'string'; email: 'string'; newsletter: 'boolean'; created_at: 'timestamp' }
    relations: { addresses: { many: 'addresses' }; orders: { many: 'orders' }; reviews: { many: 'reviews' } }
    inferred: 'addresses' | 'orders' | 'reviews'
  }
  employees: {
    row: Employees
    key: number
    create: EmployeesCreate
    update: EmployeesUpdate
    filter: EmployeesFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; first_name: 'string'; last_name: 'string'; job: 'string'; manager: 'integer'; hired_on: 'date' }
    relations: { manager: { one: 'employees' }; employees: { many: 'employees' }; orders: { many: 'orders' } }
    inferred: 'employees' | 'orders'
  }
  order_items: {
    row: OrderItems
    key: string
    create: OrderItemsCreate
    update: OrderItemsUpdate
    filter: OrderItemsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { order_id: 'integer'; line: 'integer'; product: 'integer'; quantity: 'integer'; unit_price: 'decimal' }
    relations: { order_id: { one: 'orders' }; product: { one: 'products' } }
    inferred: never
  }
  order_totals: {
    row: OrderTotals
    key: never
    create: never
    update: never
    filter: OrderTotalsFilter
    may: 'read'
    singleton: false
    types: { id: 'integer'; customer: 'integer'; status: 'string'; items: 'integer'; total: 'unknown' }
    relations: object
    inferred: never
  }
  orders: {
    row: Orders
    key: number
    create: OrdersCreate
    update: OrdersUpdate
    filter: OrdersFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; customer: 'integer'; shipping_address: 'integer'; handled_by: 'integer'; status: 'string'; ordered_at: 'timestamp'; note: 'text' }
    relations: { customer: { one: 'customers' }; shipping_address: { one: 'addresses' }; handled_by: { one: 'employees' }; order_items: { many: 'order_items' } }
    inferred: 'order_items'
  }
  pages: {
    row: Pages
    key: number
    create: PagesCreate
    update: PagesUpdate
    filter: PagesFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; title: 'string'; slug: 'string'; status: 'string' }
    relations: { blocks: { many: 'pages_blocks' } }
    inferred: never
  }
  pages_blocks: {
    row: PagesBlocks
    key: number
    create: PagesBlocksCreate
    update: PagesBlocksUpdate
    filter: PagesBlocksFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; page: 'integer'; collection: 'string'; item: 'string'; sort: 'integer' }
    relations: { page: { one: 'pages' }; item: { any: 'block_text' | 'block_gallery' | 'block_quote'; collection: 'collection' } }
    inferred: never
  }
  product_categories: {
    row: ProductCategories
    key: string
    create: ProductCategoriesCreate
    update: ProductCategoriesUpdate
    filter: ProductCategoriesFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { product: 'integer'; category: 'integer' }
    relations: { product: { one: 'products' }; category: { one: 'categories' } }
    inferred: never
  }
  products: {
    row: Products
    key: number
    create: ProductsCreate
    update: ProductsUpdate
    filter: ProductsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; sku: 'string'; name: 'string'; description: 'text'; price: 'decimal'; stock: 'integer'; is_active: 'boolean'; supplier: 'integer'; tags: 'json' }
    relations: { supplier: { one: 'suppliers' }; order_items: { many: 'order_items' }; product_categories: { many: 'product_categories' }; reviews: { many: 'reviews' }; categories: { many: 'categories' } }
    inferred: 'order_items' | 'product_categories' | 'reviews' | 'categories'
  }
  reviews: {
    row: Reviews
    key: number
    create: ReviewsCreate
    update: ReviewsUpdate
    filter: ReviewsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; product: 'integer'; customer: 'integer'; rating: 'integer'; body: 'text'; created_at: 'timestamp' }
    relations: { product: { one: 'products' }; customer: { one: 'customers' } }
    inferred: never
  }
  /** Which policy is attached to which role or user; to the public where both are empty. */
  service_access: {
    row: ServiceAccess
    key: Uuid
    create: ServiceAccessCreate
    update: ServiceAccessUpdate
    filter: ServiceAccessFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; role: 'uuid'; user: 'uuid'; policy: 'uuid'; sort: 'integer' }
    relations: { role: { one: 'service_roles' }; user: { one: 'service_users' }; policy: { one: 'service_policies' } }
    inferred: never
  }
  /** Who did what to which item, and when. */
  service_activity: {
    row: ServiceActivity
    key: number
    create: never
    update: never
    filter: ServiceActivityFilter
    may: 'read'
    singleton: false
    types: { id: 'integer'; action: 'text'; user: 'uuid'; timestamp: 'timestamp'; ip: 'text'; user_agent: 'text'; origin: 'text'; collection: 'text'; item: 'text' }
    relations: { user: { one: 'service_users' }; revisions: { many: 'service_revisions' } }
    inferred: never
  }
  /** What people say about items. */
  service_comments: {
    row: ServiceComments
    key: Uuid
    create: ServiceCommentsCreate
    update: ServiceCommentsUpdate
    filter: ServiceCommentsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; collection: 'text'; item: 'text'; comment: 'text'; date_created: 'timestamp'; date_updated: 'timestamp'; user_created: 'uuid'; user_updated: 'uuid' }
    relations: { user_created: { one: 'service_users' }; user_updated: { one: 'service_users' } }
    inferred: never
  }
  /** Where files are kept. */
  service_folders: {
    row: ServiceFolders
    key: Uuid
    create: ServiceFoldersCreate
    update: ServiceFoldersUpdate
    filter: ServiceFoldersFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; name: 'text'; parent: 'uuid' }
    relations: { parent: { one: 'service_folders' }; service_folders: { many: 'service_folders' }; service_settings: { many: 'service_settings' } }
    inferred: 'service_folders' | 'service_settings'
  }
  /** Messages to users. */
  service_notifications: {
    row: ServiceNotifications
    key: number
    create: ServiceNotificationsCreate
    update: ServiceNotificationsUpdate
    filter: ServiceNotificationsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; timestamp: 'timestamp'; status: 'text'; recipient: 'uuid'; sender: 'uuid'; subject: 'text'; message: 'text'; collection: 'text'; item: 'text' }
    relations: { recipient: { one: 'service_users' }; sender: { one: 'service_users' } }
    inferred: never
  }
  /** What a policy allows: an action on a collection, for some rows and fields. */
  service_permissions: {
    row: ServicePermissions
    key: number
    create: ServicePermissionsCreate
    update: ServicePermissionsUpdate
    filter: ServicePermissionsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; policy: 'uuid'; collection: 'text'; action: 'text'; permissions: 'json'; validation: 'json'; presets: 'json'; fields: 'json' }
    relations: { policy: { one: 'service_policies' } }
    inferred: never
  }
  /** Sets of permissions that are attached to roles, to users or to the public. */
  service_policies: {
    row: ServicePolicies
    key: Uuid
    create: ServicePoliciesCreate
    update: ServicePoliciesUpdate
    filter: ServicePoliciesFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; name: 'text'; icon: 'text'; description: 'text'; ip_access: 'json'; enforce_tfa: 'boolean'; admin_access: 'boolean'; app_access: 'boolean' }
    relations: { roles: { many: 'service_access' }; users: { many: 'service_access' }; permissions: { many: 'service_permissions' } }
    inferred: never
  }
  /** How people like to see their lists, and their bookmarks. */
  service_presets: {
    row: ServicePresets
    key: number
    create: ServicePresetsCreate
    update: ServicePresetsUpdate
    filter: ServicePresetsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; bookmark: 'text'; user: 'uuid'; role: 'uuid'; collection: 'text'; search: 'text'; layout: 'text'; layout_query: 'json'; layout_options: 'json'; refresh_interval: 'integer'; filter: 'json'; icon: 'text'; color: 'text' }
    relations: { user: { one: 'service_users' }; role: { one: 'service_roles' } }
    inferred: never
  }
  /** Items as they were after each change. */
  service_revisions: {
    row: ServiceRevisions
    key: number
    create: never
    update: never
    filter: ServiceRevisionsFilter
    may: 'read'
    singleton: false
    types: { id: 'integer'; activity: 'integer'; collection: 'text'; item: 'text'; data: 'json'; delta: 'json'; parent: 'integer'; version: 'text' }
    relations: { activity: { one: 'service_activity' } }
    inferred: never
  }
  /** Groups of users; policies are attached to them, and a role inherits those of its parents. */
  service_roles: {
    row: ServiceRoles
    key: Uuid
    create: ServiceRolesCreate
    update: ServiceRolesUpdate
    filter: ServiceRolesFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; name: 'text'; icon: 'text'; description: 'text'; parent: 'uuid' }
    relations: { parent: { one: 'service_roles' }; children: { many: 'service_roles' }; users: { many: 'service_users' }; policies: { many: 'service_access' }; service_settings: { many: 'service_settings' }; service_presets: { many: 'service_presets' } }
    inferred: 'service_settings' | 'service_presets'
  }
  /** Settings of the project. */
  service_settings: {
    row: ServiceSettings
    key: number
    create: never
    update: ServiceSettingsUpdate
    filter: ServiceSettingsFilter
    may: 'read' | 'update'
    singleton: true
    types: { id: 'integer'; project_name: 'text'; project_descriptor: 'text'; project_url: 'text'; project_color: 'text'; project_logo: 'uuid'; public_foreground: 'uuid'; public_background: 'uuid'; public_favicon: 'uuid'; public_note: 'text'; default_language: 'text'; default_appearance: 'text'; default_theme_light: 'text'; default_theme_dark: 'text'; theme_light_overrides: 'json'; theme_dark_overrides: 'json'; custom_css: 'text'; module_bar: 'json'; auth_login_attempts: 'integer'; auth_password_policy: 'text'; public_registration: 'boolean'; public_registration_verify_email: 'boolean'; public_registration_role: 'uuid'; public_registration_email_filter: 'json'; storage_asset_transform: 'text'; storage_asset_presets: 'json'; storage_default_folder: 'uuid'; basemaps: 'json'; mapbox_key: 'text'; custom_aspect_ratios: 'json'; report_error_url: 'text'; report_bug_url: 'text'; report_feature_url: 'text'; visual_editor_urls: 'json'; default_save_action: 'text' }
    relations: { public_registration_role: { one: 'service_roles' }; storage_default_folder: { one: 'service_folders' } }
    inferred: never
  }
  /** Texts in several languages. */
  service_translations: {
    row: ServiceTranslations
    key: Uuid
    create: ServiceTranslationsCreate
    update: ServiceTranslationsUpdate
    filter: ServiceTranslationsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; language: 'text'; key: 'text'; value: 'text' }
    relations: object
    inferred: never
  }
  /** People and programs that sign in. */
  service_users: {
    row: ServiceUsers
    key: Uuid
    create: ServiceUsersCreate
    update: ServiceUsersUpdate
    filter: ServiceUsersFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; first_name: 'text'; last_name: 'text'; email: 'text'; password: 'hash'; location: 'text'; title: 'text'; description: 'text'; tags: 'json'; avatar: 'uuid'; language: 'text'; text_direction: 'text'; tfa_secret: 'hash'; status: 'text'; role: 'uuid'; token: 'hash'; last_access: 'timestamp'; last_page: 'text'; provider: 'text'; external_identifier: 'text'; auth_data: 'hash'; email_notifications: 'boolean'; appearance: 'text'; theme_light: 'text'; theme_dark: 'text'; theme_light_overrides: 'json'; theme_dark_overrides: 'json' }
    relations: { role: { one: 'service_roles' }; policies: { many: 'service_access' }; service_presets: { many: 'service_presets' }; service_notifications_by_recipient: { many: 'service_notifications' }; service_notifications_by_sender: { many: 'service_notifications' }; service_comments_by_user_created: { many: 'service_comments' }; service_comments_by_user_updated: { many: 'service_comments' } }
    inferred: 'service_presets' | 'service_notifications_by_recipient' | 'service_notifications_by_sender' | 'service_comments_by_user_created' | 'service_comments_by_user_updated'
  }
  suppliers: {
    row: Suppliers
    key: number
    create: SuppliersCreate
    update: SuppliersUpdate
    filter: SuppliersFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; name: 'string'; city: 'string'; country: 'string' }
    relations: { products: { many: 'products' } }
    inferred: 'products'
  }
}

/** All digits are kept, so it travels as text. */
export type Decimal = string
/** All digits are kept, so it travels as text. */
export type BigInteger = string
/** 2026-01-31 */
export type DateOnly = string
/** A moment without a time zone: 2026-01-31T12:00:00 */
export type DateTime = string
/** 2026-01-31T12:00:00.000Z */
export type Timestamp = string
/** 12:00:00 */
export type Time = string
export type Uuid = string
export type Base64 = string
export type JsonScalar = string | number | boolean
export type Json = JsonScalar | null | Json[] | { [name: string]: Json }
/** GeoJSON. */
export interface Geometry {
  type: string
  coordinates?: Json
  geometries?: Geometry[]
  crs?: Json
}

/** A row inside the payload of another: a new one, changes of the one with its key, or the key alone. */
export type NestedRow<Create, Change, Key> = Create | Change | Key
/** A list inside a payload: all of its rows, or the changes of it. New rows get the key of the other from the service. */
export type NestedRows<Create, Change, Key> =
  | readonly (Partial<Create> | Change | Key)[]
  | { create?: readonly Partial<Create>[]; update?: readonly Change[]; delete?: readonly Key[] }

export interface TextConditions<Value> {
  _eq?: Value | null
  _neq?: Value | null
  _in?: readonly Value[]
  _nin?: readonly Value[]
  _null?: boolean
  _nnull?: boolean
  _empty?: boolean
  _nempty?: boolean
  _contains?: string
  _ncontains?: string
  _icontains?: string
  _starts_with?: string
  _nstarts_with?: string
  _istarts_with?: string
  _nistarts_with?: string
  _ends_with?: string
  _nends_with?: string
  _iends_with?: string
  _niends_with?: string
}

export interface KeyConditions<Value> {
  _eq?: Value | null
  _neq?: Value | null
  _in?: readonly Value[]
  _nin?: readonly Value[]
  _null?: boolean
  _nnull?: boolean
}

export interface OrderedConditions<Value> {
  _eq?: Value | null
  _neq?: Value | null
  _in?: readonly Value[]
  _nin?: readonly Value[]
  _null?: boolean
  _nnull?: boolean
  _lt?: Value
  _lte?: Value
  _gt?: Value
  _gte?: Value
  _between?: readonly [Value, Value]
  _nbetween?: readonly [Value, Value]
}

export interface AnyConditions<Value> {
  _eq?: Value | null
  _neq?: Value | null
  _in?: readonly Value[]
  _nin?: readonly Value[]
  _null?: boolean
  _nnull?: boolean
  _lt?: Value
  _lte?: Value
  _gt?: Value
  _gte?: Value
  _between?: readonly [Value, Value]
  _nbetween?: readonly [Value, Value]
  _empty?: boolean
  _nempty?: boolean
  _contains?: string
  _ncontains?: string
}

export interface FlagConditions<Value> {
  _eq?: Value | null
  _neq?: Value | null
  _null?: boolean
  _nnull?: boolean
}

export interface JsonConditions {
  _null?: boolean
  _nnull?: boolean
  _json?: JsonPaths
}

export interface SecretConditions {
  _null?: boolean
  _nnull?: boolean
  _empty?: boolean
  _nempty?: boolean
}

export interface GeometryConditions<Value> {
  _eq?: Value | null
  _neq?: Value | null
  _null?: boolean
  _nnull?: boolean
  _intersects?: Geometry
  _nintersects?: Geometry
  _intersects_bbox?: Geometry
  _nintersects_bbox?: Geometry
}

export type StringFilter = TextConditions<string>
export type BinaryFilter = KeyConditions<Base64>
export type UuidFilter = KeyConditions<Uuid>
export type IntegerFilter = OrderedConditions<number>
export type BigIntegerFilter = OrderedConditions<BigInteger | number>
export type FloatFilter = OrderedConditions<number>
export type DecimalFilter = OrderedConditions<Decimal | number>
export type BooleanFilter = FlagConditions<boolean>
export type DateFilter = OrderedConditions<DateOnly>
export type DateTimeFilter = OrderedConditions<DateTime>
export type TimeFilter = OrderedConditions<Time>
export type TimestampFilter = AnyConditions<Timestamp>
export type JsonFilter = JsonConditions
export type HashFilter = SecretConditions
export type GeometryFilter = GeometryConditions<Geometry>
export type UnknownFilter = AnyConditions<JsonScalar>

export interface PresenceFilter {
  _null?: boolean
  _nnull?: boolean
}

export interface JsonValueConditions {
  _eq?: JsonScalar | null
  _neq?: JsonScalar | null
  _lt?: JsonScalar
  _lte?: JsonScalar
  _gt?: JsonScalar
  _gte?: JsonScalar
  _in?: readonly JsonScalar[]
  _nin?: readonly JsonScalar[]
  _between?: readonly [JsonScalar, JsonScalar]
  _nbetween?: readonly [JsonScalar, JsonScalar]
  _null?: boolean
  _nnull?: boolean
  _contains?: string
  _ncontains?: string
  _icontains?: string
  _starts_with?: string
  _ends_with?: string
}

/** Conditions on the values at paths in a document: `{ 'size.width': { _gt: 3 } }` */
export interface JsonPaths {
  [path: string]: JsonValueConditions | readonly JsonPaths[] | JsonScalar | null
}

export type Functions<Name extends string, Field extends string> = {
  [Call in `${Name}(${Field})`]?: IntegerFilter
}

export type DateFunctions<Field extends string> = Functions<'year' | 'month' | 'week' | 'day' | 'weekday', Field>
export type DateTimeFunctions<Field extends string> = Functions<'year' | 'month' | 'week' | 'day' | 'weekday' | 'hour' | 'minute' | 'second', Field>
export type TimeFunctions<Field extends string> = Functions<'hour' | 'minute' | 'second', Field>
export type TimestampFunctions<Field extends string> = Functions<'year' | 'month' | 'week' | 'day' | 'weekday' | 'hour' | 'minute' | 'second', Field>
export type JsonFunctions<Field extends string> = Functions<'count', Field>
export type ListFunctions<Field extends string> = Functions<'count', Field>

export interface Conditions<Filter> {
  _and?: readonly Filter[]
  _or?: readonly Filter[]
  [follow: `$FOLLOW(${string})`]: object
}

/** Conditions on a list: some row meets them, or none does. */
export interface Quantified<Filter> {
  _some?: Filter
  _none?: Filter
}
