// Made by "tain types generate" for the administrator. Do not edit: it is written anew.

export interface Addresses {
  id: number
  city: string
  country: string
  customer: number | Customers
  kind: string
  orders: number[] | Orders[]
  postcode: string
  street: string
}

export interface AddressesCreate {
  id?: number
  city: string
  country: string
  customer: number | NestedRow<CustomersCreate, CustomersChange, number>
  kind: string
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
  postcode: string
  street: string
}

export interface AddressesUpdate {
  city?: string
  country?: string
  customer?: number | NestedRow<CustomersCreate, CustomersChange, number>
  kind?: string
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
  postcode?: string
  street?: string
}

export interface AddressesChange extends AddressesUpdate {
  id: number
}

export interface AddressesFilter extends Conditions<AddressesFilter>, ListFunctions<'orders'> {
  id?: IntegerFilter
  city?: StringFilter
  country?: StringFilter
  customer?: IntegerFilter | CustomersFilter
  kind?: StringFilter
  orders?: IntegerFilter | OrdersFilter | Quantified<OrdersFilter>
  postcode?: StringFilter
  street?: StringFilter
}

export interface BlockGallery {
  id: number
  pictures: Json | null
  title: string | null
}

export interface BlockGalleryCreate {
  id?: number
  pictures?: unknown
  title?: string | null
}

export interface BlockGalleryUpdate {
  pictures?: unknown
  title?: string | null
}

export interface BlockGalleryChange extends BlockGalleryUpdate {
  id: number
}

export interface BlockGalleryFilter extends Conditions<BlockGalleryFilter>, JsonFunctions<'pictures'> {
  id?: IntegerFilter
  pictures?: JsonFilter
  title?: StringFilter
}

export interface BlockQuote {
  id: number
  author: string | null
  quote: string
}

export interface BlockQuoteCreate {
  id?: number
  author?: string | null
  quote: string
}

export interface BlockQuoteUpdate {
  author?: string | null
  quote?: string
}

export interface BlockQuoteChange extends BlockQuoteUpdate {
  id: number
}

export interface BlockQuoteFilter extends Conditions<BlockQuoteFilter> {
  id?: IntegerFilter
  author?: StringFilter
  quote?: StringFilter
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
  categories: number[] | Categories[]
  name: string
  parent: number | Categories | null
  product_categories: string[] | ProductCategories[]
  products: number[] | Products[]
  slug: string
}

export interface CategoriesCreate {
  id?: number
  categories?: NestedRows<CategoriesCreate, CategoriesChange, number> | null
  name: string
  parent?: number | NestedRow<CategoriesCreate, CategoriesChange, number> | null
  product_categories?: NestedRows<ProductCategoriesCreate, ProductCategoriesChange, string> | null
  products?: NestedRows<ProductsCreate, ProductsChange, number> | null
  slug: string
}

export interface CategoriesUpdate {
  categories?: NestedRows<CategoriesCreate, CategoriesChange, number> | null
  name?: string
  parent?: number | NestedRow<CategoriesCreate, CategoriesChange, number> | null
  product_categories?: NestedRows<ProductCategoriesCreate, ProductCategoriesChange, string> | null
  products?: NestedRows<ProductsCreate, ProductsChange, number> | null
  slug?: string
}

export interface CategoriesChange extends CategoriesUpdate {
  id: number
}

export interface CategoriesFilter extends Conditions<CategoriesFilter>, ListFunctions<'categories' | 'product_categories' | 'products'> {
  id?: IntegerFilter
  categories?: IntegerFilter | CategoriesFilter | Quantified<CategoriesFilter>
  name?: StringFilter
  parent?: IntegerFilter | CategoriesFilter
  product_categories?: PresenceFilter | ProductCategoriesFilter | Quantified<ProductCategoriesFilter>
  products?: IntegerFilter | ProductsFilter | Quantified<ProductsFilter>
  slug?: StringFilter
}

export interface Customers {
  id: number
  addresses: number[] | Addresses[]
  created_at: Timestamp
  email: string
  first_name: string
  last_name: string
  newsletter: boolean
  orders: number[] | Orders[]
  reviews: number[] | Reviews[]
}

export interface CustomersCreate {
  id?: number
  addresses?: NestedRows<AddressesCreate, AddressesChange, number> | null
  created_at: Timestamp
  email: string
  first_name: string
  last_name: string
  newsletter?: boolean
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
  reviews?: NestedRows<ReviewsCreate, ReviewsChange, number> | null
}

export interface CustomersUpdate {
  addresses?: NestedRows<AddressesCreate, AddressesChange, number> | null
  created_at?: Timestamp
  email?: string
  first_name?: string
  last_name?: string
  newsletter?: boolean
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
  reviews?: NestedRows<ReviewsCreate, ReviewsChange, number> | null
}

export interface CustomersChange extends CustomersUpdate {
  id: number
}

export interface CustomersFilter extends Conditions<CustomersFilter>, TimestampFunctions<'created_at'>, ListFunctions<'addresses' | 'orders' | 'reviews'> {
  id?: IntegerFilter
  addresses?: IntegerFilter | AddressesFilter | Quantified<AddressesFilter>
  created_at?: TimestampFilter
  email?: StringFilter
  first_name?: StringFilter
  last_name?: StringFilter
  newsletter?: BooleanFilter
  orders?: IntegerFilter | OrdersFilter | Quantified<OrdersFilter>
  reviews?: IntegerFilter | ReviewsFilter | Quantified<ReviewsFilter>
}

export interface Employees {
  id: number
  employees: number[] | Employees[]
  first_name: string
  hired_on: DateOnly
  job: string
  last_name: string
  manager: number | Employees | null
  orders: number[] | Orders[]
}

export interface EmployeesCreate {
  id?: number
  employees?: NestedRows<EmployeesCreate, EmployeesChange, number> | null
  first_name: string
  hired_on: DateOnly
  job: string
  last_name: string
  manager?: number | NestedRow<EmployeesCreate, EmployeesChange, number> | null
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
}

export interface EmployeesUpdate {
  employees?: NestedRows<EmployeesCreate, EmployeesChange, number> | null
  first_name?: string
  hired_on?: DateOnly
  job?: string
  last_name?: string
  manager?: number | NestedRow<EmployeesCreate, EmployeesChange, number> | null
  orders?: NestedRows<OrdersCreate, OrdersChange, number> | null
}

export interface EmployeesChange extends EmployeesUpdate {
  id: number
}

export interface EmployeesFilter extends Conditions<EmployeesFilter>, DateFunctions<'hired_on'>, ListFunctions<'employees' | 'orders'> {
  id?: IntegerFilter
  employees?: IntegerFilter | EmployeesFilter | Quantified<EmployeesFilter>
  first_name?: StringFilter
  hired_on?: DateFilter
  job?: StringFilter
  last_name?: StringFilter
  manager?: IntegerFilter | EmployeesFilter
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
  customer: number | null
  id: number | null
  items: number | null
  status: string | null
  total: Json | null
}

export interface OrderTotalsFilter extends Conditions<OrderTotalsFilter> {
  customer?: IntegerFilter
  id?: IntegerFilter
  items?: IntegerFilter
  status?: StringFilter
  total?: UnknownFilter
}

export interface Orders {
  id: number
  customer: number | Customers
  handled_by: number | Employees | null
  note: string | null
  order_items: string[] | OrderItems[]
  ordered_at: Timestamp
  shipping_address: number | Addresses | null
  status: string
}

export interface OrdersCreate {
  id?: number
  customer: number | NestedRow<CustomersCreate, CustomersChange, number>
  handled_by?: number | NestedRow<EmployeesCreate, EmployeesChange, number> | null
  note?: string | null
  order_items?: NestedRows<OrderItemsCreate, OrderItemsChange, string> | null
  ordered_at: Timestamp
  shipping_address?: number | NestedRow<AddressesCreate, AddressesChange, number> | null
  status?: string
}

export interface OrdersUpdate {
  customer?: number | NestedRow<CustomersCreate, CustomersChange, number>
  handled_by?: number | NestedRow<EmployeesCreate, EmployeesChange, number> | null
  note?: string | null
  order_items?: NestedRows<OrderItemsCreate, OrderItemsChange, string> | null
  ordered_at?: Timestamp
  shipping_address?: number | NestedRow<AddressesCreate, AddressesChange, number> | null
  status?: string
}

export interface OrdersChange extends OrdersUpdate {
  id: number
}

export interface OrdersFilter extends Conditions<OrdersFilter>, TimestampFunctions<'ordered_at'>, ListFunctions<'order_items'> {
  id?: IntegerFilter
  customer?: IntegerFilter | CustomersFilter
  handled_by?: IntegerFilter | EmployeesFilter
  note?: StringFilter
  order_items?: PresenceFilter | OrderItemsFilter | Quantified<OrderItemsFilter>
  ordered_at?: TimestampFilter
  shipping_address?: IntegerFilter | AddressesFilter
  status?: StringFilter
}

export interface Pages {
  id: number
  pages_blocks: number[] | PagesBlocks[]
  slug: string
  status: string
  title: string
}

export interface PagesCreate {
  id?: number
  pages_blocks?: NestedRows<PagesBlocksCreate, PagesBlocksChange, number> | null
  slug: string
  status?: string
  title: string
}

export interface PagesUpdate {
  pages_blocks?: NestedRows<PagesBlocksCreate, PagesBlocksChange, number> | null
  slug?: string
  status?: string
  title?: string
}

export interface PagesChange extends PagesUpdate {
  id: number
}

export interface PagesFilter extends Conditions<PagesFilter>, ListFunctions<'pages_blocks'> {
  id?: IntegerFilter
  pages_blocks?: IntegerFilter | PagesBlocksFilter | Quantified<PagesBlocksFilter>
  slug?: StringFilter
  status?: StringFilter
  title?: StringFilter
}

export interface PagesBlocks {
  id: number
  collection: string
  item: string
  page: number | Pages
  sort: number | null
}

export interface PagesBlocksCreate {
  id?: number
  collection: string
  item: string
  page: number | NestedRow<PagesCreate, PagesChange, number>
  sort?: number | null
}

export interface PagesBlocksUpdate {
  collection?: string
  item?: string
  page?: number | NestedRow<PagesCreate, PagesChange, number>
  sort?: number | null
}

export interface PagesBlocksChange extends PagesBlocksUpdate {
  id: number
}

export interface PagesBlocksFilter extends Conditions<PagesBlocksFilter> {
  id?: IntegerFilter
  collection?: StringFilter
  item?: StringFilter
  page?: IntegerFilter | PagesFilter
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
  categories: number[] | Categories[]
  description: string | null
  is_active: boolean
  name: string
  order_items: string[] | OrderItems[]
  price: Decimal
  product_categories: string[] | ProductCategories[]
  reviews: number[] | Reviews[]
  sku: string
  stock: number
  supplier: number | Suppliers | null
  tags: Json | null
}

export interface ProductsCreate {
  id?: number
  categories?: NestedRows<CategoriesCreate, CategoriesChange, number> | null
  description?: string | null
  is_active?: boolean
  name: string
  order_items?: NestedRows<OrderItemsCreate, OrderItemsChange, string> | null
  price: Decimal | number
  product_categories?: NestedRows<ProductCategoriesCreate, ProductCategoriesChange, string> | null
  reviews?: NestedRows<ReviewsCreate, ReviewsChange, number> | null
  sku: string
  stock?: number
  supplier?: number | NestedRow<SuppliersCreate, SuppliersChange, number> | null
  tags?: unknown
}

export interface ProductsUpdate {
  categories?: NestedRows<CategoriesCreate, CategoriesChange, number> | null
  description?: string | null
  is_active?: boolean
  name?: string
  order_items?: NestedRows<OrderItemsCreate, OrderItemsChange, string> | null
  price?: Decimal | number
  product_categories?: NestedRows<ProductCategoriesCreate, ProductCategoriesChange, string> | null
  reviews?: NestedRows<ReviewsCreate, ReviewsChange, number> | null
  sku?: string
  stock?: number
  supplier?: number | NestedRow<SuppliersCreate, SuppliersChange, number> | null
  tags?: unknown
}

export interface ProductsChange extends ProductsUpdate {
  id: number
}

export interface ProductsFilter extends Conditions<ProductsFilter>, JsonFunctions<'tags'>, ListFunctions<'categories' | 'order_items' | 'product_categories' | 'reviews'> {
  id?: IntegerFilter
  categories?: IntegerFilter | CategoriesFilter | Quantified<CategoriesFilter>
  description?: StringFilter
  is_active?: BooleanFilter
  name?: StringFilter
  order_items?: PresenceFilter | OrderItemsFilter | Quantified<OrderItemsFilter>
  price?: DecimalFilter
  product_categories?: PresenceFilter | ProductCategoriesFilter | Quantified<ProductCategoriesFilter>
  reviews?: IntegerFilter | ReviewsFilter | Quantified<ReviewsFilter>
  sku?: StringFilter
  stock?: IntegerFilter
  supplier?: IntegerFilter | SuppliersFilter
  tags?: JsonFilter
}

export interface Reviews {
  id: number
  body: string | null
  created_at: Timestamp
  customer: number | Customers | null
  product: number | Products
  rating: number
}

export interface ReviewsCreate {
  id?: number
  body?: string | null
  created_at: Timestamp
  customer?: number | NestedRow<CustomersCreate, CustomersChange, number> | null
  product: number | NestedRow<ProductsCreate, ProductsChange, number>
  rating: number
}

export interface ReviewsUpdate {
  body?: string | null
  created_at?: Timestamp
  customer?: number | NestedRow<CustomersCreate, CustomersChange, number> | null
  product?: number | NestedRow<ProductsCreate, ProductsChange, number>
  rating?: number
}

export interface ReviewsChange extends ReviewsUpdate {
  id: number
}

export interface ReviewsFilter extends Conditions<ReviewsFilter>, TimestampFunctions<'created_at'> {
  id?: IntegerFilter
  body?: StringFilter
  created_at?: TimestampFilter
  customer?: IntegerFilter | CustomersFilter
  product?: IntegerFilter | ProductsFilter
  rating?: IntegerFilter
}

/** Which policy is attached to which role or user; to the public where both are empty. */
export interface ServiceAccess {
  id: Uuid
  policy: Uuid | ServicePolicies
  role: Uuid | ServiceRoles | null
  sort: number | null
  user: Uuid | ServiceUsers | null
}

export interface ServiceAccessCreate {
  id?: Uuid
  policy: Uuid | NestedRow<ServicePoliciesCreate, ServicePoliciesChange, Uuid>
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  sort?: number | null
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceAccessUpdate {
  policy?: Uuid | NestedRow<ServicePoliciesCreate, ServicePoliciesChange, Uuid>
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  sort?: number | null
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceAccessChange extends ServiceAccessUpdate {
  id: Uuid
}

export interface ServiceAccessFilter extends Conditions<ServiceAccessFilter> {
  id?: UuidFilter
  policy?: UuidFilter | ServicePoliciesFilter
  role?: UuidFilter | ServiceRolesFilter
  sort?: IntegerFilter
  user?: UuidFilter | ServiceUsersFilter
}

/** Who did what to which item, and when. */
export interface ServiceActivity {
  id: number
  action: string
  collection: string
  ip: string | null
  item: string
  origin: string | null
  revisions: number[] | ServiceRevisions[]
  timestamp: Timestamp
  user: Uuid | ServiceUsers | null
  user_agent: string | null
}

export interface ServiceActivityChange {
  id: number
}

export interface ServiceActivityFilter extends Conditions<ServiceActivityFilter>, TimestampFunctions<'timestamp'>, ListFunctions<'revisions'> {
  id?: IntegerFilter
  action?: StringFilter
  collection?: StringFilter
  ip?: StringFilter
  item?: StringFilter
  origin?: StringFilter
  revisions?: IntegerFilter | ServiceRevisionsFilter | Quantified<ServiceRevisionsFilter>
  timestamp?: TimestampFilter
  user?: UuidFilter | ServiceUsersFilter
  user_agent?: StringFilter
}

/** What people say about items. */
export interface ServiceComments {
  id: Uuid
  collection: string
  comment: string
  date_created: Timestamp | null
  date_updated: Timestamp | null
  item: string
  user_created: Uuid | ServiceUsers | null
  user_updated: Uuid | ServiceUsers | null
}

export interface ServiceCommentsCreate {
  id?: Uuid
  collection: string
  comment: string
  date_created?: Timestamp | null
  date_updated?: Timestamp | null
  item: string
  user_created?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  user_updated?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceCommentsUpdate {
  collection?: string
  comment?: string
  date_created?: Timestamp | null
  date_updated?: Timestamp | null
  item?: string
  user_created?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  user_updated?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceCommentsChange extends ServiceCommentsUpdate {
  id: Uuid
}

export interface ServiceCommentsFilter extends Conditions<ServiceCommentsFilter>, TimestampFunctions<'date_created' | 'date_updated'> {
  id?: UuidFilter
  collection?: StringFilter
  comment?: StringFilter
  date_created?: TimestampFilter
  date_updated?: TimestampFilter
  item?: StringFilter
  user_created?: UuidFilter | ServiceUsersFilter
  user_updated?: UuidFilter | ServiceUsersFilter
}

/** Pages of panels that show figures. */
export interface ServiceDashboards {
  id: Uuid
  color: string | null
  date_created: Timestamp | null
  icon: string
  name: string
  note: string | null
  panels: Uuid[] | ServicePanels[]
  user_created: Uuid | ServiceUsers | null
}

export interface ServiceDashboardsCreate {
  id?: Uuid
  color?: string | null
  date_created?: Timestamp | null
  icon?: string
  name: string
  note?: string | null
  panels?: NestedRows<ServicePanelsCreate, ServicePanelsChange, Uuid> | null
  user_created?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceDashboardsUpdate {
  color?: string | null
  date_created?: Timestamp | null
  icon?: string
  name?: string
  note?: string | null
  panels?: NestedRows<ServicePanelsCreate, ServicePanelsChange, Uuid> | null
  user_created?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceDashboardsChange extends ServiceDashboardsUpdate {
  id: Uuid
}

export interface ServiceDashboardsFilter extends Conditions<ServiceDashboardsFilter>, TimestampFunctions<'date_created'>, ListFunctions<'panels'> {
  id?: UuidFilter
  color?: StringFilter
  date_created?: TimestampFilter
  icon?: StringFilter
  name?: StringFilter
  note?: StringFilter
  panels?: UuidFilter | ServicePanelsFilter | Quantified<ServicePanelsFilter>
  user_created?: UuidFilter | ServiceUsersFilter
}

/** Files: what is known of each; its content lies in a storage. */
export interface ServiceFiles {
  id: Uuid
  charset: string | null
  checksum: string | null
  created_on: Timestamp
  description: string | null
  duration: number | null
  embed: string | null
  filename_disk: string | null
  filename_download: string
  filesize: BigInteger | null
  focal_point_x: number | null
  focal_point_y: number | null
  folder: Uuid | ServiceFolders | null
  height: number | null
  location: string | null
  metadata: Json | null
  modified_by: Uuid | ServiceUsers | null
  modified_on: Timestamp
  storage: string
  tags: Json | null
  title: string | null
  tus_data: Json | null
  tus_id: string | null
  type: string | null
  uploaded_by: Uuid | ServiceUsers | null
  uploaded_on: Timestamp | null
  width: number | null
}

export interface ServiceFilesCreate {
  id?: Uuid
  charset?: string | null
  checksum?: string | null
  created_on?: Timestamp
  description?: string | null
  duration?: number | null
  embed?: string | null
  filename_disk?: string | null
  filename_download: string
  filesize?: BigInteger | number | null
  focal_point_x?: number | null
  focal_point_y?: number | null
  folder?: Uuid | NestedRow<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  height?: number | null
  location?: string | null
  metadata?: unknown
  modified_by?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  modified_on?: Timestamp
  storage: string
  tags?: unknown
  title?: string | null
  tus_data?: unknown
  tus_id?: string | null
  type?: string | null
  uploaded_by?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  uploaded_on?: Timestamp | null
  width?: number | null
}

export interface ServiceFilesUpdate {
  charset?: string | null
  checksum?: string | null
  created_on?: Timestamp
  description?: string | null
  duration?: number | null
  embed?: string | null
  filename_disk?: string | null
  filename_download?: string
  filesize?: BigInteger | number | null
  focal_point_x?: number | null
  focal_point_y?: number | null
  folder?: Uuid | NestedRow<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  height?: number | null
  location?: string | null
  metadata?: unknown
  modified_by?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  modified_on?: Timestamp
  storage?: string
  tags?: unknown
  title?: string | null
  tus_data?: unknown
  tus_id?: string | null
  type?: string | null
  uploaded_by?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  uploaded_on?: Timestamp | null
  width?: number | null
}

export interface ServiceFilesChange extends ServiceFilesUpdate {
  id: Uuid
}

export interface ServiceFilesFilter extends Conditions<ServiceFilesFilter>, TimestampFunctions<'created_on' | 'modified_on' | 'uploaded_on'>, JsonFunctions<'metadata' | 'tags' | 'tus_data'> {
  id?: UuidFilter
  charset?: StringFilter
  checksum?: StringFilter
  created_on?: TimestampFilter
  description?: StringFilter
  duration?: IntegerFilter
  embed?: StringFilter
  filename_disk?: StringFilter
  filename_download?: StringFilter
  filesize?: BigIntegerFilter
  focal_point_x?: IntegerFilter
  focal_point_y?: IntegerFilter
  folder?: UuidFilter | ServiceFoldersFilter
  height?: IntegerFilter
  location?: StringFilter
  metadata?: JsonFilter
  modified_by?: UuidFilter | ServiceUsersFilter
  modified_on?: TimestampFilter
  storage?: StringFilter
  tags?: JsonFilter
  title?: StringFilter
  tus_data?: JsonFilter
  tus_id?: StringFilter
  type?: StringFilter
  uploaded_by?: UuidFilter | ServiceUsersFilter
  uploaded_on?: TimestampFilter
  width?: IntegerFilter
}

/** Where files are kept. */
export interface ServiceFolders {
  id: Uuid
  name: string
  parent: Uuid | ServiceFolders | null
  service_files: Uuid[] | ServiceFiles[]
  service_folders: Uuid[] | ServiceFolders[]
  service_settings: number[] | ServiceSettings[]
}

export interface ServiceFoldersCreate {
  id?: Uuid
  name: string
  parent?: Uuid | NestedRow<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  service_files?: NestedRows<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  service_folders?: NestedRows<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  service_settings?: NestedRows<never, ServiceSettingsChange, number> | null
}

export interface ServiceFoldersUpdate {
  name?: string
  parent?: Uuid | NestedRow<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  service_files?: NestedRows<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  service_folders?: NestedRows<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  service_settings?: NestedRows<never, ServiceSettingsChange, number> | null
}

export interface ServiceFoldersChange extends ServiceFoldersUpdate {
  id: Uuid
}

export interface ServiceFoldersFilter extends Conditions<ServiceFoldersFilter>, ListFunctions<'service_files' | 'service_folders' | 'service_settings'> {
  id?: UuidFilter
  name?: StringFilter
  parent?: UuidFilter | ServiceFoldersFilter
  service_files?: UuidFilter | ServiceFilesFilter | Quantified<ServiceFilesFilter>
  service_folders?: UuidFilter | ServiceFoldersFilter | Quantified<ServiceFoldersFilter>
  service_settings?: IntegerFilter | ServiceSettingsFilter | Quantified<ServiceSettingsFilter>
}

/** Messages to users. */
export interface ServiceNotifications {
  id: number
  collection: string | null
  item: string | null
  message: string | null
  recipient: Uuid | ServiceUsers
  sender: Uuid | ServiceUsers | null
  status: string | null
  subject: string
  timestamp: Timestamp | null
}

export interface ServiceNotificationsCreate {
  id?: number
  collection?: string | null
  item?: string | null
  message?: string | null
  recipient: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid>
  sender?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  status?: string | null
  subject: string
  timestamp?: Timestamp | null
}

export interface ServiceNotificationsUpdate {
  collection?: string | null
  item?: string | null
  message?: string | null
  recipient?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid>
  sender?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  status?: string | null
  subject?: string
  timestamp?: Timestamp | null
}

export interface ServiceNotificationsChange extends ServiceNotificationsUpdate {
  id: number
}

export interface ServiceNotificationsFilter extends Conditions<ServiceNotificationsFilter>, TimestampFunctions<'timestamp'> {
  id?: IntegerFilter
  collection?: StringFilter
  item?: StringFilter
  message?: StringFilter
  recipient?: UuidFilter | ServiceUsersFilter
  sender?: UuidFilter | ServiceUsersFilter
  status?: StringFilter
  subject?: StringFilter
  timestamp?: TimestampFilter
}

/** What a dashboard shows, and where. */
export interface ServicePanels {
  id: Uuid
  color: string | null
  dashboard: Uuid | ServiceDashboards
  date_created: Timestamp | null
  height: number
  icon: string | null
  name: string | null
  note: string | null
  options: Json | null
  position_x: number
  position_y: number
  show_header: boolean
  type: string
  user_created: Uuid | ServiceUsers | null
  width: number
}

export interface ServicePanelsCreate {
  id?: Uuid
  color?: string | null
  dashboard: Uuid | NestedRow<ServiceDashboardsCreate, ServiceDashboardsChange, Uuid>
  date_created?: Timestamp | null
  height: number
  icon?: string | null
  name?: string | null
  note?: string | null
  options?: unknown
  position_x: number
  position_y: number
  show_header?: boolean
  type: string
  user_created?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  width: number
}

export interface ServicePanelsUpdate {
  color?: string | null
  dashboard?: Uuid | NestedRow<ServiceDashboardsCreate, ServiceDashboardsChange, Uuid>
  date_created?: Timestamp | null
  height?: number
  icon?: string | null
  name?: string | null
  note?: string | null
  options?: unknown
  position_x?: number
  position_y?: number
  show_header?: boolean
  type?: string
  user_created?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
  width?: number
}

export interface ServicePanelsChange extends ServicePanelsUpdate {
  id: Uuid
}

export interface ServicePanelsFilter extends Conditions<ServicePanelsFilter>, TimestampFunctions<'date_created'>, JsonFunctions<'options'> {
  id?: UuidFilter
  color?: StringFilter
  dashboard?: UuidFilter | ServiceDashboardsFilter
  date_created?: TimestampFilter
  height?: IntegerFilter
  icon?: StringFilter
  name?: StringFilter
  note?: StringFilter
  options?: JsonFilter
  position_x?: IntegerFilter
  position_y?: IntegerFilter
  show_header?: BooleanFilter
  type?: StringFilter
  user_created?: UuidFilter | ServiceUsersFilter
  width?: IntegerFilter
}

/** What a policy allows: an action on a collection, for some rows and fields. */
export interface ServicePermissions {
  id: number | null
  action: string | null
  collection: string | null
  fields: Json | null
  permissions: Json | null
  policy: Uuid | ServicePolicies | null
  presets: Json | null
  validation: Json | null
}

export interface ServicePermissionsCreate {
  id?: number
  action: string
  collection: string
  fields?: unknown
  permissions?: unknown
  policy: Uuid | NestedRow<ServicePoliciesCreate, ServicePoliciesChange, Uuid>
  presets?: unknown
  validation?: unknown
}

export interface ServicePermissionsUpdate {
  action?: string
  collection?: string
  fields?: unknown
  permissions?: unknown
  policy?: Uuid | NestedRow<ServicePoliciesCreate, ServicePoliciesChange, Uuid>
  presets?: unknown
  validation?: unknown
}

export interface ServicePermissionsChange extends ServicePermissionsUpdate {
  id: number
}

export interface ServicePermissionsFilter extends Conditions<ServicePermissionsFilter>, JsonFunctions<'fields' | 'permissions' | 'presets' | 'validation'> {
  id?: IntegerFilter
  action?: StringFilter
  collection?: StringFilter
  fields?: JsonFilter
  permissions?: JsonFilter
  policy?: UuidFilter | ServicePoliciesFilter
  presets?: JsonFilter
  validation?: JsonFilter
}

/** Sets of permissions that are attached to roles, to users or to the public. */
export interface ServicePolicies {
  id: Uuid
  admin_access: boolean
  app_access: boolean
  description: string | null
  enforce_tfa: boolean
  icon: string
  ip_access: Json | null
  name: string
  permissions: number[] | ServicePermissions[]
  roles: Uuid[] | ServiceAccess[]
  users: Uuid[] | ServiceAccess[]
}

export interface ServicePoliciesCreate {
  id?: Uuid
  admin_access?: boolean
  app_access?: boolean
  description?: string | null
  enforce_tfa?: boolean
  icon?: string
  ip_access?: unknown
  name: string
  permissions?: NestedRows<ServicePermissionsCreate, ServicePermissionsChange, number> | null
  roles?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  users?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
}

export interface ServicePoliciesUpdate {
  admin_access?: boolean
  app_access?: boolean
  description?: string | null
  enforce_tfa?: boolean
  icon?: string
  ip_access?: unknown
  name?: string
  permissions?: NestedRows<ServicePermissionsCreate, ServicePermissionsChange, number> | null
  roles?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  users?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
}

export interface ServicePoliciesChange extends ServicePoliciesUpdate {
  id: Uuid
}

export interface ServicePoliciesFilter extends Conditions<ServicePoliciesFilter>, JsonFunctions<'ip_access'>, ListFunctions<'permissions' | 'roles' | 'users'> {
  id?: UuidFilter
  admin_access?: BooleanFilter
  app_access?: BooleanFilter
  description?: StringFilter
  enforce_tfa?: BooleanFilter
  icon?: StringFilter
  ip_access?: JsonFilter
  name?: StringFilter
  permissions?: IntegerFilter | ServicePermissionsFilter | Quantified<ServicePermissionsFilter>
  roles?: UuidFilter | ServiceAccessFilter | Quantified<ServiceAccessFilter>
  users?: UuidFilter | ServiceAccessFilter | Quantified<ServiceAccessFilter>
}

/** How people like to see their lists, and their bookmarks. */
export interface ServicePresets {
  id: number
  bookmark: string | null
  collection: string | null
  color: string | null
  filter: Json | null
  icon: string | null
  layout: string | null
  layout_options: Json | null
  layout_query: Json | null
  refresh_interval: number | null
  role: Uuid | ServiceRoles | null
  search: string | null
  user: Uuid | ServiceUsers | null
}

export interface ServicePresetsCreate {
  id?: number
  bookmark?: string | null
  collection?: string | null
  color?: string | null
  filter?: unknown
  icon?: string | null
  layout?: string | null
  layout_options?: unknown
  layout_query?: unknown
  refresh_interval?: number | null
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  search?: string | null
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServicePresetsUpdate {
  bookmark?: string | null
  collection?: string | null
  color?: string | null
  filter?: unknown
  icon?: string | null
  layout?: string | null
  layout_options?: unknown
  layout_query?: unknown
  refresh_interval?: number | null
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  search?: string | null
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServicePresetsChange extends ServicePresetsUpdate {
  id: number
}

export interface ServicePresetsFilter extends Conditions<ServicePresetsFilter>, JsonFunctions<'filter' | 'layout_options' | 'layout_query'> {
  id?: IntegerFilter
  bookmark?: StringFilter
  collection?: StringFilter
  color?: StringFilter
  filter?: JsonFilter
  icon?: StringFilter
  layout?: StringFilter
  layout_options?: JsonFilter
  layout_query?: JsonFilter
  refresh_interval?: IntegerFilter
  role?: UuidFilter | ServiceRolesFilter
  search?: StringFilter
  user?: UuidFilter | ServiceUsersFilter
}

/** Items as they were after each change. */
export interface ServiceRevisions {
  id: number
  activity: number | ServiceActivity
  collection: string
  data: Json | null
  delta: Json | null
  item: string
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
  data?: JsonFilter
  delta?: JsonFilter
  item?: StringFilter
  parent?: IntegerFilter
  version?: StringFilter
}

/** Groups of users; policies are attached to them, and a role inherits those of its parents. */
export interface ServiceRoles {
  id: Uuid
  children: Uuid[] | ServiceRoles[]
  description: string | null
  icon: string
  name: string
  parent: Uuid | ServiceRoles | null
  policies: Uuid[] | ServiceAccess[]
  service_presets: number[] | ServicePresets[]
  service_settings: number[] | ServiceSettings[]
  users: Uuid[] | ServiceUsers[]
}

export interface ServiceRolesCreate {
  id?: Uuid
  children?: NestedRows<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  description?: string | null
  icon?: string
  name: string
  parent?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  policies?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  service_presets?: NestedRows<ServicePresetsCreate, ServicePresetsChange, number> | null
  service_settings?: NestedRows<never, ServiceSettingsChange, number> | null
  users?: NestedRows<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceRolesUpdate {
  children?: NestedRows<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  description?: string | null
  icon?: string
  name?: string
  parent?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  policies?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  service_presets?: NestedRows<ServicePresetsCreate, ServicePresetsChange, number> | null
  service_settings?: NestedRows<never, ServiceSettingsChange, number> | null
  users?: NestedRows<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceRolesChange extends ServiceRolesUpdate {
  id: Uuid
}

export interface ServiceRolesFilter extends Conditions<ServiceRolesFilter>, ListFunctions<'children' | 'policies' | 'service_presets' | 'service_settings' | 'users'> {
  id?: UuidFilter
  children?: UuidFilter | ServiceRolesFilter | Quantified<ServiceRolesFilter>
  description?: StringFilter
  icon?: StringFilter
  name?: StringFilter
  parent?: UuidFilter | ServiceRolesFilter
  policies?: UuidFilter | ServiceAccessFilter | Quantified<ServiceAccessFilter>
  service_presets?: IntegerFilter | ServicePresetsFilter | Quantified<ServicePresetsFilter>
  service_settings?: IntegerFilter | ServiceSettingsFilter | Quantified<ServiceSettingsFilter>
  users?: UuidFilter | ServiceUsersFilter | Quantified<ServiceUsersFilter>
}

/** Settings of the project. */
export interface ServiceSettings {
  id: number | null
  auth_login_attempts: number | null
  auth_password_policy: string | null
  basemaps: Json | null
  custom_aspect_ratios: Json | null
  custom_css: string | null
  default_appearance: string | null
  default_language: string | null
  default_save_action: string | null
  default_theme_dark: string | null
  default_theme_light: string | null
  mapbox_key: string | null
  module_bar: Json | null
  project_color: string | null
  project_descriptor: string | null
  project_logo: Uuid | ServiceFiles | null
  project_name: string | null
  project_url: string | null
  public_background: Uuid | ServiceFiles | null
  public_favicon: Uuid | ServiceFiles | null
  public_foreground: Uuid | ServiceFiles | null
  public_note: string | null
  public_registration: boolean | null
  public_registration_email_filter: Json | null
  public_registration_role: Uuid | ServiceRoles | null
  public_registration_verify_email: boolean | null
  report_bug_url: string | null
  report_error_url: string | null
  report_feature_url: string | null
  storage_asset_presets: Json | null
  storage_asset_transform: string | null
  storage_asset_transform_public: string | null
  storage_default_folder: Uuid | ServiceFolders | null
  theme_dark_overrides: Json | null
  theme_light_overrides: Json | null
  visual_editor_urls: Json | null
}

export interface ServiceSettingsUpdate {
  auth_login_attempts?: number | null
  auth_password_policy?: string | null
  basemaps?: unknown
  custom_aspect_ratios?: unknown
  custom_css?: string | null
  default_appearance?: string
  default_language?: string
  default_save_action?: string | null
  default_theme_dark?: string | null
  default_theme_light?: string | null
  mapbox_key?: string | null
  module_bar?: unknown
  project_color?: string
  project_descriptor?: string | null
  project_logo?: Uuid | NestedRow<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  project_name?: string
  project_url?: string | null
  public_background?: Uuid | NestedRow<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  public_favicon?: Uuid | NestedRow<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  public_foreground?: Uuid | NestedRow<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  public_note?: string | null
  public_registration?: boolean
  public_registration_email_filter?: unknown
  public_registration_role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  public_registration_verify_email?: boolean
  report_bug_url?: string | null
  report_error_url?: string | null
  report_feature_url?: string | null
  storage_asset_presets?: unknown
  storage_asset_transform?: string
  storage_asset_transform_public?: string
  storage_default_folder?: Uuid | NestedRow<ServiceFoldersCreate, ServiceFoldersChange, Uuid> | null
  theme_dark_overrides?: unknown
  theme_light_overrides?: unknown
  visual_editor_urls?: unknown
}

export interface ServiceSettingsChange extends ServiceSettingsUpdate {
  id: number
}

export interface ServiceSettingsFilter extends Conditions<ServiceSettingsFilter>, JsonFunctions<'basemaps' | 'custom_aspect_ratios' | 'module_bar' | 'public_registration_email_filter' | 'storage_asset_presets' | 'theme_dark_overrides' | 'theme_light_overrides' | 'visual_editor_urls'> {
  id?: IntegerFilter
  auth_login_attempts?: IntegerFilter
  auth_password_policy?: StringFilter
  basemaps?: JsonFilter
  custom_aspect_ratios?: JsonFilter
  custom_css?: StringFilter
  default_appearance?: StringFilter
  default_language?: StringFilter
  default_save_action?: StringFilter
  default_theme_dark?: StringFilter
  default_theme_light?: StringFilter
  mapbox_key?: StringFilter
  module_bar?: JsonFilter
  project_color?: StringFilter
  project_descriptor?: StringFilter
  project_logo?: UuidFilter | ServiceFilesFilter
  project_name?: StringFilter
  project_url?: StringFilter
  public_background?: UuidFilter | ServiceFilesFilter
  public_favicon?: UuidFilter | ServiceFilesFilter
  public_foreground?: UuidFilter | ServiceFilesFilter
  public_note?: StringFilter
  public_registration?: BooleanFilter
  public_registration_email_filter?: JsonFilter
  public_registration_role?: UuidFilter | ServiceRolesFilter
  public_registration_verify_email?: BooleanFilter
  report_bug_url?: StringFilter
  report_error_url?: StringFilter
  report_feature_url?: StringFilter
  storage_asset_presets?: JsonFilter
  storage_asset_transform?: StringFilter
  storage_asset_transform_public?: StringFilter
  storage_default_folder?: UuidFilter | ServiceFoldersFilter
  theme_dark_overrides?: JsonFilter
  theme_light_overrides?: JsonFilter
  visual_editor_urls?: JsonFilter
}

/** Texts in several languages. */
export interface ServiceTranslations {
  id: Uuid
  key: string
  language: string
  value: string
}

export interface ServiceTranslationsCreate {
  id?: Uuid
  key: string
  language: string
  value: string
}

export interface ServiceTranslationsUpdate {
  key?: string
  language?: string
  value?: string
}

export interface ServiceTranslationsChange extends ServiceTranslationsUpdate {
  id: Uuid
}

export interface ServiceTranslationsFilter extends Conditions<ServiceTranslationsFilter> {
  id?: UuidFilter
  key?: StringFilter
  language?: StringFilter
  value?: StringFilter
}

/** People and programs that sign in. */
export interface ServiceUsers {
  id: Uuid
  appearance: string | null
  auth_data: string | null
  avatar: Uuid | ServiceFiles | null
  description: string | null
  email: string | null
  email_notifications: boolean
  external_identifier: string | null
  first_name: string | null
  language: string | null
  last_access: Timestamp | null
  last_name: string | null
  last_page: string | null
  location: string | null
  password: string | null
  policies: Uuid[] | ServiceAccess[]
  provider: string
  role: Uuid | ServiceRoles | null
  service_comments_by_user_created: Uuid[] | ServiceComments[]
  service_comments_by_user_updated: Uuid[] | ServiceComments[]
  service_dashboards: Uuid[] | ServiceDashboards[]
  service_files_by_modified_by: Uuid[] | ServiceFiles[]
  service_files_by_uploaded_by: Uuid[] | ServiceFiles[]
  service_notifications_by_recipient: number[] | ServiceNotifications[]
  service_notifications_by_sender: number[] | ServiceNotifications[]
  service_panels: Uuid[] | ServicePanels[]
  service_presets: number[] | ServicePresets[]
  status: string
  tags: Json | null
  text_direction: string
  tfa_secret: string | null
  theme_dark: string | null
  theme_dark_overrides: Json | null
  theme_light: string | null
  theme_light_overrides: Json | null
  title: string | null
  token: string | null
}

export interface ServiceUsersCreate {
  id?: Uuid
  appearance?: string | null
  auth_data?: string | null
  avatar?: Uuid | NestedRow<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  description?: string | null
  email?: string | null
  email_notifications?: boolean
  external_identifier?: string | null
  first_name?: string | null
  language?: string | null
  last_access?: Timestamp | null
  last_name?: string | null
  last_page?: string | null
  location?: string | null
  password?: string | null
  policies?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  provider?: string
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  service_comments_by_user_created?: NestedRows<ServiceCommentsCreate, ServiceCommentsChange, Uuid> | null
  service_comments_by_user_updated?: NestedRows<ServiceCommentsCreate, ServiceCommentsChange, Uuid> | null
  service_dashboards?: NestedRows<ServiceDashboardsCreate, ServiceDashboardsChange, Uuid> | null
  service_files_by_modified_by?: NestedRows<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  service_files_by_uploaded_by?: NestedRows<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  service_notifications_by_recipient?: NestedRows<ServiceNotificationsCreate, ServiceNotificationsChange, number> | null
  service_notifications_by_sender?: NestedRows<ServiceNotificationsCreate, ServiceNotificationsChange, number> | null
  service_panels?: NestedRows<ServicePanelsCreate, ServicePanelsChange, Uuid> | null
  service_presets?: NestedRows<ServicePresetsCreate, ServicePresetsChange, number> | null
  status?: string
  tags?: unknown
  text_direction?: string
  tfa_secret?: string | null
  theme_dark?: string | null
  theme_dark_overrides?: unknown
  theme_light?: string | null
  theme_light_overrides?: unknown
  title?: string | null
  token?: string | null
}

export interface ServiceUsersUpdate {
  appearance?: string | null
  auth_data?: string | null
  avatar?: Uuid | NestedRow<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  description?: string | null
  email?: string | null
  email_notifications?: boolean
  external_identifier?: string | null
  first_name?: string | null
  language?: string | null
  last_access?: Timestamp | null
  last_name?: string | null
  last_page?: string | null
  location?: string | null
  password?: string | null
  policies?: NestedRows<ServiceAccessCreate, ServiceAccessChange, Uuid> | null
  provider?: string
  role?: Uuid | NestedRow<ServiceRolesCreate, ServiceRolesChange, Uuid> | null
  service_comments_by_user_created?: NestedRows<ServiceCommentsCreate, ServiceCommentsChange, Uuid> | null
  service_comments_by_user_updated?: NestedRows<ServiceCommentsCreate, ServiceCommentsChange, Uuid> | null
  service_dashboards?: NestedRows<ServiceDashboardsCreate, ServiceDashboardsChange, Uuid> | null
  service_files_by_modified_by?: NestedRows<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  service_files_by_uploaded_by?: NestedRows<ServiceFilesCreate, ServiceFilesChange, Uuid> | null
  service_notifications_by_recipient?: NestedRows<ServiceNotificationsCreate, ServiceNotificationsChange, number> | null
  service_notifications_by_sender?: NestedRows<ServiceNotificationsCreate, ServiceNotificationsChange, number> | null
  service_panels?: NestedRows<ServicePanelsCreate, ServicePanelsChange, Uuid> | null
  service_presets?: NestedRows<ServicePresetsCreate, ServicePresetsChange, number> | null
  status?: string
  tags?: unknown
  text_direction?: string
  tfa_secret?: string | null
  theme_dark?: string | null
  theme_dark_overrides?: unknown
  theme_light?: string | null
  theme_light_overrides?: unknown
  title?: string | null
  token?: string | null
}

export interface ServiceUsersChange extends ServiceUsersUpdate {
  id: Uuid
}

export interface ServiceUsersFilter extends Conditions<ServiceUsersFilter>, TimestampFunctions<'last_access'>, JsonFunctions<'tags' | 'theme_dark_overrides' | 'theme_light_overrides'>, ListFunctions<'policies' | 'service_comments_by_user_created' | 'service_comments_by_user_updated' | 'service_dashboards' | 'service_files_by_modified_by' | 'service_files_by_uploaded_by' | 'service_notifications_by_recipient' | 'service_notifications_by_sender' | 'service_panels' | 'service_presets'> {
  id?: UuidFilter
  appearance?: StringFilter
  auth_data?: HashFilter
  avatar?: UuidFilter | ServiceFilesFilter
  description?: StringFilter
  email?: StringFilter
  email_notifications?: BooleanFilter
  external_identifier?: StringFilter
  first_name?: StringFilter
  language?: StringFilter
  last_access?: TimestampFilter
  last_name?: StringFilter
  last_page?: StringFilter
  location?: StringFilter
  password?: HashFilter
  policies?: UuidFilter | ServiceAccessFilter | Quantified<ServiceAccessFilter>
  provider?: StringFilter
  role?: UuidFilter | ServiceRolesFilter
  service_comments_by_user_created?: UuidFilter | ServiceCommentsFilter | Quantified<ServiceCommentsFilter>
  service_comments_by_user_updated?: UuidFilter | ServiceCommentsFilter | Quantified<ServiceCommentsFilter>
  service_dashboards?: UuidFilter | ServiceDashboardsFilter | Quantified<ServiceDashboardsFilter>
  service_files_by_modified_by?: UuidFilter | ServiceFilesFilter | Quantified<ServiceFilesFilter>
  service_files_by_uploaded_by?: UuidFilter | ServiceFilesFilter | Quantified<ServiceFilesFilter>
  service_notifications_by_recipient?: IntegerFilter | ServiceNotificationsFilter | Quantified<ServiceNotificationsFilter>
  service_notifications_by_sender?: IntegerFilter | ServiceNotificationsFilter | Quantified<ServiceNotificationsFilter>
  service_panels?: UuidFilter | ServicePanelsFilter | Quantified<ServicePanelsFilter>
  service_presets?: IntegerFilter | ServicePresetsFilter | Quantified<ServicePresetsFilter>
  status?: StringFilter
  tags?: JsonFilter
  text_direction?: StringFilter
  tfa_secret?: HashFilter
  theme_dark?: StringFilter
  theme_dark_overrides?: JsonFilter
  theme_light?: StringFilter
  theme_light_overrides?: JsonFilter
  title?: StringFilter
  token?: HashFilter
}

/** Addresses that are told of changes. */
export interface ServiceWebhooks {
  id: Uuid
  collections: Json
  dead_count: number
  events: Json
  failing_since: Timestamp | null
  fields: Json
  filter: Json | null
  headers: string | null
  last_failure: Timestamp | null
  last_success: Timestamp | null
  name: string
  next_probe: Timestamp | null
  secret: string
  status: string
  url: string
  user: Uuid | ServiceUsers | null
}

export interface ServiceWebhooksCreate {
  id?: Uuid
  collections: unknown
  dead_count?: number
  events: unknown
  failing_since?: Timestamp | null
  fields: unknown
  filter?: unknown
  headers?: string | null
  last_failure?: Timestamp | null
  last_success?: Timestamp | null
  name: string
  next_probe?: Timestamp | null
  secret: string
  status?: string
  url: string
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceWebhooksUpdate {
  collections?: unknown
  dead_count?: number
  events?: unknown
  failing_since?: Timestamp | null
  fields?: unknown
  filter?: unknown
  headers?: string | null
  last_failure?: Timestamp | null
  last_success?: Timestamp | null
  name?: string
  next_probe?: Timestamp | null
  secret?: string
  status?: string
  url?: string
  user?: Uuid | NestedRow<ServiceUsersCreate, ServiceUsersChange, Uuid> | null
}

export interface ServiceWebhooksChange extends ServiceWebhooksUpdate {
  id: Uuid
}

export interface ServiceWebhooksFilter extends Conditions<ServiceWebhooksFilter>, TimestampFunctions<'failing_since' | 'last_failure' | 'last_success' | 'next_probe'>, JsonFunctions<'collections' | 'events' | 'fields' | 'filter'> {
  id?: UuidFilter
  collections?: JsonFilter
  dead_count?: IntegerFilter
  events?: JsonFilter
  failing_since?: TimestampFilter
  fields?: JsonFilter
  filter?: JsonFilter
  headers?: HashFilter
  last_failure?: TimestampFilter
  last_success?: TimestampFilter
  name?: StringFilter
  next_probe?: TimestampFilter
  secret?: HashFilter
  status?: StringFilter
  url?: StringFilter
  user?: UuidFilter | ServiceUsersFilter
}

export interface Suppliers {
  id: number
  city: string
  country: string
  name: string
  products: number[] | Products[]
}

export interface SuppliersCreate {
  id?: number
  city: string
  country: string
  name: string
  products?: NestedRows<ProductsCreate, ProductsChange, number> | null
}

export interface SuppliersUpdate {
  city?: string
  country?: string
  name?: string
  products?: NestedRows<ProductsCreate, ProductsChange, number> | null
}

export interface SuppliersChange extends SuppliersUpdate {
  id: number
}

export interface SuppliersFilter extends Conditions<SuppliersFilter>, ListFunctions<'products'> {
  id?: IntegerFilter
  city?: StringFilter
  country?: StringFilter
  name?: StringFilter
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
    types: { id: 'integer'; city: 'string'; country: 'string'; customer: 'integer'; kind: 'string'; postcode: 'string'; street: 'string' }
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
    types: { id: 'integer'; pictures: 'json'; title: 'string' }
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
    types: { id: 'integer'; author: 'string'; quote: 'text' }
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
    types: { id: 'integer'; name: 'string'; parent: 'integer'; slug: 'string' }
    relations: { categories: { many: 'categories' }; parent: { one: 'categories' }; product_categories: { many: 'product_categories' }; products: { many: 'products' } }
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
    types: { id: 'integer'; created_at: 'timestamp'; email: 'string'; first_name: 'string'; last_name: 'string'; newsletter: 'boolean' }
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
    types: { id: 'integer'; first_name: 'string'; hired_on: 'date'; job: 'string'; last_name: 'string'; manager: 'integer' }
    relations: { employees: { many: 'employees' }; manager: { one: 'employees' }; orders: { many: 'orders' } }
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
    types: { customer: 'integer'; id: 'integer'; items: 'integer'; status: 'string'; total: 'unknown' }
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
    types: { id: 'integer'; customer: 'integer'; handled_by: 'integer'; note: 'text'; ordered_at: 'timestamp'; shipping_address: 'integer'; status: 'string' }
    relations: { customer: { one: 'customers' }; handled_by: { one: 'employees' }; order_items: { many: 'order_items' }; shipping_address: { one: 'addresses' } }
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
    types: { id: 'integer'; slug: 'string'; status: 'string'; title: 'string' }
    relations: { pages_blocks: { many: 'pages_blocks' } }
    inferred: 'pages_blocks'
  }
  pages_blocks: {
    row: PagesBlocks
    key: number
    create: PagesBlocksCreate
    update: PagesBlocksUpdate
    filter: PagesBlocksFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; collection: 'string'; item: 'string'; page: 'integer'; sort: 'integer' }
    relations: { page: { one: 'pages' } }
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
    types: { id: 'integer'; description: 'text'; is_active: 'boolean'; name: 'string'; price: 'decimal'; sku: 'string'; stock: 'integer'; supplier: 'integer'; tags: 'json' }
    relations: { categories: { many: 'categories' }; order_items: { many: 'order_items' }; product_categories: { many: 'product_categories' }; reviews: { many: 'reviews' }; supplier: { one: 'suppliers' } }
    inferred: 'categories' | 'order_items' | 'product_categories' | 'reviews'
  }
  reviews: {
    row: Reviews
    key: number
    create: ReviewsCreate
    update: ReviewsUpdate
    filter: ReviewsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; body: 'text'; created_at: 'timestamp'; customer: 'integer'; product: 'integer'; rating: 'integer' }
    relations: { customer: { one: 'customers' }; product: { one: 'products' } }
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
    types: { id: 'uuid'; policy: 'uuid'; role: 'uuid'; sort: 'integer'; user: 'uuid' }
    relations: { policy: { one: 'service_policies' }; role: { one: 'service_roles' }; user: { one: 'service_users' } }
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
    types: { id: 'integer'; action: 'text'; collection: 'text'; ip: 'text'; item: 'text'; origin: 'text'; timestamp: 'timestamp'; user: 'uuid'; user_agent: 'text' }
    relations: { revisions: { many: 'service_revisions' }; user: { one: 'service_users' } }
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
    types: { id: 'uuid'; collection: 'text'; comment: 'text'; date_created: 'timestamp'; date_updated: 'timestamp'; item: 'text'; user_created: 'uuid'; user_updated: 'uuid' }
    relations: { user_created: { one: 'service_users' }; user_updated: { one: 'service_users' } }
    inferred: never
  }
  /** Pages of panels that show figures. */
  service_dashboards: {
    row: ServiceDashboards
    key: Uuid
    create: ServiceDashboardsCreate
    update: ServiceDashboardsUpdate
    filter: ServiceDashboardsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; color: 'text'; date_created: 'timestamp'; icon: 'text'; name: 'text'; note: 'text'; user_created: 'uuid' }
    relations: { panels: { many: 'service_panels' }; user_created: { one: 'service_users' } }
    inferred: never
  }
  /** Files: what is known of each; its content lies in a storage. */
  service_files: {
    row: ServiceFiles
    key: Uuid
    create: ServiceFilesCreate
    update: ServiceFilesUpdate
    filter: ServiceFilesFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; charset: 'text'; checksum: 'text'; created_on: 'timestamp'; description: 'text'; duration: 'integer'; embed: 'text'; filename_disk: 'text'; filename_download: 'text'; filesize: 'bigInteger'; focal_point_x: 'integer'; focal_point_y: 'integer'; folder: 'uuid'; height: 'integer'; location: 'text'; metadata: 'json'; modified_by: 'uuid'; modified_on: 'timestamp'; storage: 'text'; tags: 'json'; title: 'text'; tus_data: 'json'; tus_id: 'text'; type: 'text'; uploaded_by: 'uuid'; uploaded_on: 'timestamp'; width: 'integer' }
    relations: { folder: { one: 'service_folders' }; modified_by: { one: 'service_users' }; uploaded_by: { one: 'service_users' } }
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
    relations: { parent: { one: 'service_folders' }; service_files: { many: 'service_files' }; service_folders: { many: 'service_folders' }; service_settings: { many: 'service_settings' } }
    inferred: 'service_files' | 'service_folders' | 'service_settings'
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
    types: { id: 'integer'; collection: 'text'; item: 'text'; message: 'text'; recipient: 'uuid'; sender: 'uuid'; status: 'text'; subject: 'text'; timestamp: 'timestamp' }
    relations: { recipient: { one: 'service_users' }; sender: { one: 'service_users' } }
    inferred: never
  }
  /** What a dashboard shows, and where. */
  service_panels: {
    row: ServicePanels
    key: Uuid
    create: ServicePanelsCreate
    update: ServicePanelsUpdate
    filter: ServicePanelsFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; color: 'text'; dashboard: 'uuid'; date_created: 'timestamp'; height: 'integer'; icon: 'text'; name: 'text'; note: 'text'; options: 'json'; position_x: 'integer'; position_y: 'integer'; show_header: 'boolean'; type: 'text'; user_created: 'uuid'; width: 'integer' }
    relations: { dashboard: { one: 'service_dashboards' }; user_created: { one: 'service_users' } }
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
    types: { id: 'integer'; action: 'text'; collection: 'text'; fields: 'json'; permissions: 'json'; policy: 'uuid'; presets: 'json'; validation: 'json' }
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
    types: { id: 'uuid'; admin_access: 'boolean'; app_access: 'boolean'; description: 'text'; enforce_tfa: 'boolean'; icon: 'text'; ip_access: 'json'; name: 'text' }
    relations: { permissions: { many: 'service_permissions' }; roles: { many: 'service_access' }; users: { many: 'service_access' } }
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
    types: { id: 'integer'; bookmark: 'text'; collection: 'text'; color: 'text'; filter: 'json'; icon: 'text'; layout: 'text'; layout_options: 'json'; layout_query: 'json'; refresh_interval: 'integer'; role: 'uuid'; search: 'text'; user: 'uuid' }
    relations: { role: { one: 'service_roles' }; user: { one: 'service_users' } }
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
    types: { id: 'integer'; activity: 'integer'; collection: 'text'; data: 'json'; delta: 'json'; item: 'text'; parent: 'integer'; version: 'text' }
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
    types: { id: 'uuid'; description: 'text'; icon: 'text'; name: 'text'; parent: 'uuid' }
    relations: { children: { many: 'service_roles' }; parent: { one: 'service_roles' }; policies: { many: 'service_access' }; service_presets: { many: 'service_presets' }; service_settings: { many: 'service_settings' }; users: { many: 'service_users' } }
    inferred: 'service_presets' | 'service_settings'
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
    types: { id: 'integer'; auth_login_attempts: 'integer'; auth_password_policy: 'text'; basemaps: 'json'; custom_aspect_ratios: 'json'; custom_css: 'text'; default_appearance: 'text'; default_language: 'text'; default_save_action: 'text'; default_theme_dark: 'text'; default_theme_light: 'text'; mapbox_key: 'text'; module_bar: 'json'; project_color: 'text'; project_descriptor: 'text'; project_logo: 'uuid'; project_name: 'text'; project_url: 'text'; public_background: 'uuid'; public_favicon: 'uuid'; public_foreground: 'uuid'; public_note: 'text'; public_registration: 'boolean'; public_registration_email_filter: 'json'; public_registration_role: 'uuid'; public_registration_verify_email: 'boolean'; report_bug_url: 'text'; report_error_url: 'text'; report_feature_url: 'text'; storage_asset_presets: 'json'; storage_asset_transform: 'text'; storage_asset_transform_public: 'text'; storage_default_folder: 'uuid'; theme_dark_overrides: 'json'; theme_light_overrides: 'json'; visual_editor_urls: 'json' }
    relations: { project_logo: { one: 'service_files' }; public_background: { one: 'service_files' }; public_favicon: { one: 'service_files' }; public_foreground: { one: 'service_files' }; public_registration_role: { one: 'service_roles' }; storage_default_folder: { one: 'service_folders' } }
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
    types: { id: 'uuid'; key: 'text'; language: 'text'; value: 'text' }
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
    types: { id: 'uuid'; appearance: 'text'; auth_data: 'hash'; avatar: 'uuid'; description: 'text'; email: 'text'; email_notifications: 'boolean'; external_identifier: 'text'; first_name: 'text'; language: 'text'; last_access: 'timestamp'; last_name: 'text'; last_page: 'text'; location: 'text'; password: 'hash'; provider: 'text'; role: 'uuid'; status: 'text'; tags: 'json'; text_direction: 'text'; tfa_secret: 'hash'; theme_dark: 'text'; theme_dark_overrides: 'json'; theme_light: 'text'; theme_light_overrides: 'json'; title: 'text'; token: 'hash' }
    relations: { avatar: { one: 'service_files' }; policies: { many: 'service_access' }; role: { one: 'service_roles' }; service_comments_by_user_created: { many: 'service_comments' }; service_comments_by_user_updated: { many: 'service_comments' }; service_dashboards: { many: 'service_dashboards' }; service_files_by_modified_by: { many: 'service_files' }; service_files_by_uploaded_by: { many: 'service_files' }; service_notifications_by_recipient: { many: 'service_notifications' }; service_notifications_by_sender: { many: 'service_notifications' }; service_panels: { many: 'service_panels' }; service_presets: { many: 'service_presets' } }
    inferred: 'service_comments_by_user_created' | 'service_comments_by_user_updated' | 'service_dashboards' | 'service_files_by_modified_by' | 'service_files_by_uploaded_by' | 'service_notifications_by_recipient' | 'service_notifications_by_sender' | 'service_panels' | 'service_presets'
  }
  /** Addresses that are told of changes. */
  service_webhooks: {
    row: ServiceWebhooks
    key: Uuid
    create: ServiceWebhooksCreate
    update: ServiceWebhooksUpdate
    filter: ServiceWebhooksFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'uuid'; collections: 'json'; dead_count: 'integer'; events: 'json'; failing_since: 'timestamp'; fields: 'json'; filter: 'json'; headers: 'hash'; last_failure: 'timestamp'; last_success: 'timestamp'; name: 'text'; next_probe: 'timestamp'; secret: 'hash'; status: 'text'; url: 'text'; user: 'uuid' }
    relations: { user: { one: 'service_users' } }
    inferred: never
  }
  suppliers: {
    row: Suppliers
    key: number
    create: SuppliersCreate
    update: SuppliersUpdate
    filter: SuppliersFilter
    may: 'read' | 'create' | 'update' | 'delete'
    singleton: false
    types: { id: 'integer'; city: 'string'; country: 'string'; name: 'string' }
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
